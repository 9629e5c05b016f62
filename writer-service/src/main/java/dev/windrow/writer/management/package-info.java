/**
 * What operators look at: health and metrics.
 */
@NullMarked
package dev.windrow.writer.management;

import org.jspecify.annotations.NullMarked;
