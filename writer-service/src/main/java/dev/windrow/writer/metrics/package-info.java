/**
 * What the parts of the flow need to count.
 */
@NullMarked
package dev.windrow.writer.metrics;

import org.jspecify.annotations.NullMarked;
