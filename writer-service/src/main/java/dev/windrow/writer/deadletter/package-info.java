/**
 * Sends what cannot be counted to the dead-letter queue, with the reason.
 */
@NullMarked
package dev.windrow.writer.deadletter;

import org.jspecify.annotations.NullMarked;
