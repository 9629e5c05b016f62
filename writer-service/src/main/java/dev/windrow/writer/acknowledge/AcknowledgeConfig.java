package dev.windrow.writer.acknowledge;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of deletes and of other requests about single messages. */
@ConfigMapping(prefix = "windrow.writer.acknowledge")
public interface AcknowledgeConfig {

    /**
     * How long a delete or return waits for others to fill its batch of 10.
     *
     * @return 0s or more; keep it well below the queue's visibility timeout
     */
    @WithDefault("50ms")
    Duration linger();

    /**
     * Maximum number of delete batches in flight. Returns have the same limit, visibility extensions a quarter of it.
     *
     * @return requests, 1 or more
     */
    @WithDefault("32")
    int maxConcurrency();

    /**
     * Attempts of a request before its message is left to its visibility timeout.
     *
     * @return attempts, 1 or more
     */
    @WithDefault("5")
    int maxAttempts();

    /**
     * Pause before the second attempt. It doubles with each further one.
     *
     * @return more than 0
     */
    @WithDefault("100ms")
    Duration initialBackoff();

    /**
     * How long SQS may take for one batch.
     *
     * @return more than 0
     */
    @WithDefault("10s")
    Duration timeout();
}
