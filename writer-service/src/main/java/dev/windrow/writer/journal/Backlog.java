package dev.windrow.writer.journal;

/**
 * Whether the queue is longer than memory, which shows in memory that is short again and again. Buckets are written less
 * often then: those who read them are ahead of the writer by more than the delay anyway. Not thread-safe.
 */
final class Backlog {

    private final long delayNanos;
    private final long lastsNanos;
    private boolean seen;
    private long seenNanos;

    /**
     * @param delayNanos how much longer additions wait in a backlog
     * @param lastsNanos for how long memory must not be short for a backlog to be over
     */
    Backlog(long delayNanos, long lastsNanos) {
        this.delayNanos = delayNanos;
        this.lastsNanos = lastsNanos;
    }

    /** Memory is short. */
    void see(long nowNanos) {
        seen = true;
        seenNanos = nowNanos;
    }

    /** How much longer additions wait now. */
    long delayNanos(long nowNanos) {
        return seen && nowNanos - seenNanos < lastsNanos ? delayNanos : 0;
    }
}
