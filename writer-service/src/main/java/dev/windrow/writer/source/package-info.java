/**
 * Receives messages from the queues, no more than the limiter of messages in flight admits.
 */
@NullMarked
package dev.windrow.writer.source;

import org.jspecify.annotations.NullMarked;
