package dev.windrow.gather.fanout;

import dev.windrow.admission.Bulkhead;

/**
 * What bounds the reads of all queries and streams together.
 *
 * @param permits one for each read
 */
public record ReadPermits(Bulkhead permits) {
}
