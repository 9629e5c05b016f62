package dev.windrow.writer.flow;

import java.time.Duration;

import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.journal.Urgency;

/**
 * What short memory changes. A claim frees the memory of what messages add, and costs write units: one that would free
 * little is left to its time. Deleting claimed messages frees the rest of their memory and costs nothing: they need not
 * stay in the queue until they are applied, as there are others. If these are old as well, there is a backlog.
 *
 * @param maxBytes that are not claimed yet, without pressure
 * @param lag of what is received
 * @param backlogAge of messages of a backlog, at least
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes, QueueLag lag, Duration backlogAge) {

    /** The fraction of the memory in use that a claim must free, if something waits for memory. */
    private static final int WORTHWHILE_PART = 4;

    /** @param waiting whether a message waits for memory to be decoded */
    Urgency urgency(boolean waiting) {
        boolean full = waiting || limiter.isFull();
        long unclaimed = limiter.unclaimedBytes();
        return new Urgency(unclaimed >= maxBytes || (full && unclaimed >= limiter.bytes() / WORTHWHILE_PART), full,
                full && lag.exceeds(backlogAge));
    }
}
