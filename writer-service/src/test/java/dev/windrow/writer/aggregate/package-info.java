/**
 * Aggregation alone.
 */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
