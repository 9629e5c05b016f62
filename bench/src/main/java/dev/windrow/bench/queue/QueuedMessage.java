package dev.windrow.bench.queue;

/**
 * A message in the queue. Many share one body, so a queue of millions stays small.
 *
 * @param id unique
 * @param body its text, with its digest
 * @param sentAt milliseconds since the epoch
 */
record QueuedMessage(String id, Body body, long sentAt) {
}
