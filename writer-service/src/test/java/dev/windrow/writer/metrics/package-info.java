/**
 * Tests of metrics.
 */
@NullMarked
package dev.windrow.writer.metrics;

import org.jspecify.annotations.NullMarked;
