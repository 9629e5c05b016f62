/**
 * Sums up the events of a message by bucket, divided into claim units. Pure.
 */
@NullMarked
package dev.windrow.writer.aggregate;

import org.jspecify.annotations.NullMarked;
