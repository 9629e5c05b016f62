package dev.windrow.base;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the requests in flight by how long responses take, following TCP's congestion control (RFC 5681). More requests than a
 * server can work on just queue there until they time out, which looks like an outage but is not one. A limit that is not used
 * goes stale, so it decays (RFC 7661): the next burst may send many requests at once. Thread-safe.
 */
public final class AdaptiveLimit {

    private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int min;
    private final int initial;
    private final int max;
    private final long slowNanos;
    private final LongSupplier nanoTime;
    private int limit;
    /** Below it, each answer raises the limit by one, doubling it per response time; from it on, {@code limit} answers do. */
    private int threshold;
    private int answers;
    private long loweredAt;
    /** When more than half of the limit was last in use. */
    private long usedAt;

    /**
     * @param initial the initial limit, {@code min} to {@code max}
     * @param slowNanos an answer that takes this long or longer lowers the limit, at most once in this time; one that takes
     *        less than half as long raises it
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

    public synchronized int current() {
        long now = nanoTime.getAsLong();
        while (limit > initial && now - usedAt >= VALID_NANOS) {
            limit = Math.max(initial, limit / 2);
            usedAt += VALID_NANOS;
        }
        return limit;
    }

    /**
     * Reports that a request was answered, or failed.
     *
     * @param tookNanos time since it was sent
     * @param inFlight requests in flight; if they are few, fast answers do not justify a higher limit
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
