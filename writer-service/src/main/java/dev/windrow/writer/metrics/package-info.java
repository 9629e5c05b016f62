/** Counters that several parts of the flow use. */
@NullMarked
package dev.windrow.writer.metrics;

import org.jspecify.annotations.NullMarked;
