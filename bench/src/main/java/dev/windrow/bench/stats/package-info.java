/** Medians and percentiles. Pure. */
@NullMarked
package dev.windrow.bench.stats;

import org.jspecify.annotations.NullMarked;
