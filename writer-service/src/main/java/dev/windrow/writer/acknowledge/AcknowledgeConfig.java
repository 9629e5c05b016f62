package dev.windrow.writer.acknowledge;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of deletes and of other requests about single messages. */
@ConfigMapping(prefix = "windrow.writer.acknowledge")
public interface AcknowledgeConfig {

    /** How long a request waits for others to fill its batch of 10. */
    @WithDefault("50ms")
    Duration linger();

    /** Most deletes under way at a time, a batch each; as many returns, and a quarter as many extensions. */
    @WithDefault("32")
    int maxConcurrency();

    /** How often a request is tried before its message is left to the visibility timeout. */
    @WithDefault("5")
    int maxAttempts();

    /** Pause before a second try; it doubles with each further one. */
    @WithDefault("100ms")
    Duration initialBackoff();

    /** How long SQS may take for a batch. */
    @WithDefault("10s")
    Duration timeout();
}
