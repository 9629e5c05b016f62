package dev.windrow.writer;

import java.time.Duration;

import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.queue.InFlightLimiter;

/**
 * Decides what to do when memory is short. A claim frees the memory of a message's additions but costs write units, so a
 * claim that would free little waits until it is due. Deleting claimed messages frees the rest of their memory and costs
 * nothing: they need not stay in the queue until applied, as others wait there. If those are old, there is a backlog. A
 * suspect message waits for every other, so these are claimed at once.
 *
 * @param maxBytes number of unclaimed bytes from which a claim is urgent even if memory is not full
 * @param lag queue lag of received messages
 * @param backlogAge minimum queue lag that indicates a backlog
 */
record MemoryPressure(InFlightLimiter limiter, long maxBytes, QueueLag lag, Duration backlogAge) {

    /**
     * @param waiting whether a message waits for memory before it can be decoded
     * @param suspect whether one waits until all others are written
     */
    MemoryShortage urgency(boolean waiting, boolean suspect) {
        boolean full = waiting || limiter.isFull();
        long unclaimed = limiter.unclaimedBytes();
        return new MemoryShortage(suspect || unclaimed >= maxBytes || (full && limiter.isMostlyUnclaimed()), full,
                full && lag.exceeds(backlogAge));
    }
}
