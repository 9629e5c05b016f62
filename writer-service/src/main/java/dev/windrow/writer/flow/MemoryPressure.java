package dev.windrow.writer.flow;

import dev.windrow.writer.inflight.InFlightLimiter;

/**
 * Whether memory is so short that everything is claimed at once. A claim frees the memory of what messages add, and costs
 * write units: one that would free little is left to its time.
 *
 * @param maxBytes that are not claimed yet, without pressure
 */
public record MemoryPressure(InFlightLimiter limiter, long maxBytes) {

    /** The fraction of the memory in use that a claim must free, if something waits for memory. */
    private static final int WORTHWHILE_PART = 4;

    /** @param waiting whether a message waits for memory to be decoded */
    boolean isHigh(boolean waiting) {
        long unclaimed = limiter.unclaimedBytes();
        return unclaimed >= maxBytes
                || ((waiting || limiter.isFull()) && unclaimed >= limiter.bytes() / WORTHWHILE_PART);
    }
}
