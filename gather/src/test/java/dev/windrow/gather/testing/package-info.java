/**
 * What tests of the gatherer share: embedded servers and items as the writer writes them.
 */
@NullMarked
package dev.windrow.gather.testing;

import org.jspecify.annotations.NullMarked;
