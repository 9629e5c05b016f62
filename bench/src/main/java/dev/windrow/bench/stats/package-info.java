/** Medians, percentiles and growth exponents. Pure. */
@NullMarked
package dev.windrow.bench.stats;

import org.jspecify.annotations.NullMarked;
