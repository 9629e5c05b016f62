package dev.windrow.writer.journal;

import java.util.concurrent.TimeUnit;

/**
 * Whether the writer is behind: memory was short within the last second, of messages that are older than the delay. Buckets
 * are written later then, as what they show is older than the delay anyway. Not thread-safe.
 */
final class Backlog {

    /** Memory that is short now and then is so several times a second. */
    private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long delayNanos;
    private boolean seen;
    private long seenNanos;

    /** @param delayNanos how much longer additions wait in a backlog */
    Backlog(long delayNanos) {
        this.delayNanos = delayNanos;
    }

    /** Memory is short, of old messages. */
    void see(long nowNanos) {
        seen = true;
        seenNanos = nowNanos;
    }

    /** How much longer additions wait now. */
    long delayNanos(long nowNanos) {
        return seen && nowNanos - seenNanos < LASTS_NANOS ? delayNanos : 0;
    }
}
