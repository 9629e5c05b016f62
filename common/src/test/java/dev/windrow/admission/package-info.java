@NullMarked
package dev.windrow.admission;

import org.jspecify.annotations.NullMarked;
