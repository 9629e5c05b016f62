/** Meters that several stages share. */
@NullMarked
package dev.windrow.writer.metrics;

import org.jspecify.annotations.NullMarked;
