/**
 * Sums up the events of a message by bucket, as the units that are claimed of it. Pure.
 */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
