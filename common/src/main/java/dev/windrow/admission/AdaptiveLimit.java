package dev.windrow.admission;

import java.util.function.LongSupplier;

/**
 * How many requests may be in flight, by how long answers take: the rule of TCP's congestion control (RFC 5681). More requests
 * than a server works on at a time only wait there, until they time out, which looks like an outage and is none. Thread-safe.
 */
public final class AdaptiveLimit {

    private final int min;
    private final int max;
    private final long slowNanos;
    private final LongSupplier nanoTime;
    private int limit;
    /** Below it, each answer raises the limit by one, which doubles it in the time of one answer; from it on, all together. */
    private int threshold;
    private int answers;
    private long loweredAt;

    /**
     * @param initial to begin with, {@code min} to {@code max}
     * @param slowNanos an answer that takes as long lowers the limit, once in that time
     * @param nanoTime a monotonic clock
     */
    public AdaptiveLimit(int min, int initial, int max, long slowNanos, LongSupplier nanoTime) {
        this.min = min;
        this.max = max;
        this.slowNanos = slowNanos;
        this.nanoTime = nanoTime;
        this.limit = initial;
        this.threshold = max;
        this.loweredAt = nanoTime.getAsLong() - slowNanos;
    }

    /** The limit now. */
    public synchronized int current() {
        return limit;
    }

    /**
     * A request was answered, or failed.
     *
     * @param tookNanos since it was sent
     * @param inFlight how many were in flight; where those are few, fast answers do not mean that there may be more
     */
    public synchronized void answered(long tookNanos, int inFlight) {
        if (tookNanos >= slowNanos) {
            lower();
        } else if (limit < max && inFlight > limit / 2) {
            raise();
        }
    }

    private void lower() {
        long now = nanoTime.getAsLong();
        if (now - loweredAt >= slowNanos) {
            loweredAt = now;
            limit = Math.max(min, limit - limit / 4);
            threshold = limit;
            answers = 0;
        }
    }

    private void raise() {
        answers++;
        if (limit < threshold || answers >= limit) {
            limit++;
            answers = 0;
        }
    }
}
