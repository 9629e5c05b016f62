package dev.windrow.writer.flow;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of aggregation: when what was gathered is written. They stand here as the aggregation itself is pure. */
@ConfigMapping(prefix = "windrow.writer.aggregate")
public interface AggregateConfig {

    /**
     * Everything is flushed once this many events are pending.
     *
     * @return events, 1 or more
     */
    @WithDefault("50000")
    long maxEvents();

    /**
     * Everything is flushed once messages and their contributions take this much memory.
     *
     * @return bytes on the heap, estimated; 1 or more, below {@code windrow.writer.source.max-bytes}
     */
    @WithDefault("32M")
    MemorySize maxBytes();

    /**
     * A series is flushed once it has contributions of this many messages for each of its ledger slots per second.
     *
     * @return messages, 1 or more
     */
    @WithDefault("100")
    int maxSeriesMessages();

    /**
     * A series is flushed once its oldest contribution is this old. Longer means fewer writes and later counts.
     *
     * @return more than 0; keep it well below the queue's visibility timeout
     */
    @WithDefault("1s")
    Duration maxAge();
}
