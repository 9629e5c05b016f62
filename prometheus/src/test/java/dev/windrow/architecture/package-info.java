/** Rules about which package may use what, kept as tests. */
@NullMarked
package dev.windrow.architecture;

import org.jspecify.annotations.NullMarked;
