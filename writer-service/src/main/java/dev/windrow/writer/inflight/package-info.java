/**
 * The messages in memory, from their receipt to their end: what they may take of the heap, how they are kept invisible to
 * other receivers, and how they end, which is deleted, sent to the dead-letter queue or returned to their queue.
 */
@NullMarked
package dev.windrow.writer.inflight;

import org.jspecify.annotations.NullMarked;
