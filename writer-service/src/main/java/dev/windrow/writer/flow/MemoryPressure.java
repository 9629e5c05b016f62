package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.journal.Urgency;

/**
 * What short memory makes urgent. A claim frees the memory of what messages add, and costs write units: one that would free
 * little is left to its time. Deleting claimed messages frees the rest of their memory and costs nothing: they need not
 * stay in the queue until they are applied, as there are others.
 *
 * @param maxBytes that are not claimed yet, without pressure
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    /** The fraction of the memory in use that a claim must free, if something waits for memory. */
    private static final int WORTHWHILE_PART = 4;

    /** @param waiting whether a message waits for memory to be decoded */
    Urgency urgency(boolean waiting) {
        boolean full = waiting || limiter.isFull();
        long unclaimed = limiter.unclaimedBytes();
        return new Urgency(unclaimed >= maxBytes || (full && unclaimed >= limiter.bytes() / WORTHWHILE_PART), full);
    }
}
