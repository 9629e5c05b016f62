package dev.windrow.gather.read;

import java.time.Duration;
import java.util.function.LongSupplier;

import dev.windrow.base.AdaptiveLimit;
import dev.windrow.base.AdmissionQueue;

/**
 * The permits of all reads. Only as many reads are in flight as the table answers well before they time out; the others
 * wait here, where queries take turns, rather than at the table.
 */
public record ReadPermits(AdmissionQueue permits, AdaptiveLimit limit) {

    /** Enough for the circuit breaker to notice an outage by reads that time out. */
    private static final int MIN = 32;
    private static final int INITIAL = 128;
    private static final int SLOW_PART = 4;

    /**
     * @param max maximum number of reads in flight
     * @param maxWaiting maximum number of reads that wait
     * @param timeout of an attempt; a read that takes a quarter of it is slow
     */
    public static ReadPermits of(int max, int maxWaiting, Duration timeout, LongSupplier nanoTime) {
        AdaptiveLimit limit = new AdaptiveLimit(Math.min(MIN, max), Math.min(INITIAL, max), max,
                timeout.dividedBy(SLOW_PART).toNanos(), nanoTime);
        return new ReadPermits(AdmissionQueue.ofPermits(limit::current, maxWaiting, "reads", GatherException::new), limit);
    }
}
