package dev.windrow.writer.queue;

import java.time.Duration;

/**
 * How deletes and other requests about single messages are sent.
 *
 * @param linger how long a delete or return waits for others to fill its batch of ten
 * @param maxConcurrency delete batches in flight; returns have the same limit, visibility extensions a quarter of it
 * @param maxAttempts attempts of a request before its message is left to its visibility timeout
 * @param initialBackoff pause before the second attempt; it doubles with each further one
 */
public record AcknowledgeSettings(Duration linger, int maxConcurrency, int maxAttempts, Duration initialBackoff,
        Duration timeout) {

    /**
     * The linger is short: a busy writer fills its batches earlier, and an idle one still deletes in time. All attempts
     * together take less than a minute, even if each times out.
     */
    public static final AcknowledgeSettings DEFAULTS = new AcknowledgeSettings(Duration.ofMillis(50), 32, 5,
            Duration.ofMillis(100), Duration.ofSeconds(10));
}
