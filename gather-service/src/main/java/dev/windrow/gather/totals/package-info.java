/** Sums over a range, and their change against another one. */
@NullMarked
package dev.windrow.gather.totals;

import org.jspecify.annotations.NullMarked;
