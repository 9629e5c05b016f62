package dev.windrow.writer.flow;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of decoding. They stand here as the decoding itself is pure. */
@ConfigMapping(prefix = "windrow.writer.decode")
public interface DecodeConfig {

    /** Messages that are decoded at a time. */
    @WithDefault("2")
    int concurrency();

    /** Memory that the labels and buckets of one message may take; a message with more goes to the dead-letter queue. */
    @WithDefault("32M")
    MemorySize maxMessageBytes();

    /**
     * How long the decoding of one message may take. Then it is handed back, or goes to the dead-letter queue if it was
     * received often before.
     */
    @WithDefault("10s")
    Duration timeout();
}
