/**
 * The messages in memory, from their receipt to their end: the limit of their memory (backpressure), the visibility
 * heartbeat that keeps them invisible to other receivers, and how they end: deleted, sent to the dead-letter queue or
 * returned to their queue.
 */
@NullMarked
package dev.windrow.writer.inflight;

import org.jspecify.annotations.NullMarked;
