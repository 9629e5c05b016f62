/**
 * What operators look at: health and metrics.
 */
@NullMarked
package dev.windrow.writer.manage;

import org.jspecify.annotations.NullMarked;
