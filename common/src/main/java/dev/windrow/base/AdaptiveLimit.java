package dev.windrow.base;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many requests may be in flight, by how long answers take: the rule of TCP's congestion control (RFC 5681). More requests
 * than a server works on at a time only wait there, until they time out, which looks like an outage and is none. A limit that
 * is not used says nothing any more, so it falls back (RFC 7661): what comes next may be many requests at once. Thread-safe.
 */
public final class AdaptiveLimit {

    private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int min;
    private final int initial;
    private final int max;
    private final long slowNanos;
    private final LongSupplier nanoTime;
    private int limit;
    /** Below it, each answer raises the limit by one, which doubles it in the time of one answer; from it on, all together. */
    private int threshold;
    private int answers;
    private long loweredAt;
    /** When more than half of it was in use last. */
    private long usedAt;

    /**
     * @param initial to begin with, {@code min} to {@code max}
     * @param slowNanos an answer that takes as long lowers the limit, once in that time; one that takes less than half as long
     *        raises it
     */
    public AdaptiveLimit(int min, int initial, int max, long slowNanos, LongSupplier nanoTime) {
        this.min = min;
        this.initial = initial;
        this.max = max;
        this.slowNanos = slowNanos;
        this.nanoTime = nanoTime;
        this.limit = initial;
        this.threshold = max;
        this.usedAt = nanoTime.getAsLong();
        this.loweredAt = usedAt - slowNanos;
    }

    /** The limit now. */
    public synchronized int current() {
        long now = nanoTime.getAsLong();
        while (limit > initial && now - usedAt >= VALID_NANOS) {
            limit = Math.max(initial, limit / 2);
            usedAt += VALID_NANOS;
        }
        return limit;
    }

    /**
     * A request was answered, or failed.
     *
     * @param tookNanos since it was sent
     * @param inFlight how many were in flight; where those are few, fast answers do not mean that there may be more
     */
    public synchronized void answered(long tookNanos, int inFlight) {
        boolean used = inFlight > limit / 2;
        usedAt = used ? nanoTime.getAsLong() : usedAt;
        if (tookNanos >= slowNanos) {
            lower();
        } else if (used && limit < max && tookNanos < slowNanos / 2) {
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
