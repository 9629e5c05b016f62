package dev.windrow.writer.flow;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of aggregation: when additions are claimed. They are here because the aggregation itself is pure. */
@ConfigMapping(prefix = "windrow.writer.aggregate")
public interface AggregateConfig {

    /**
     * Everything is claimed at once while additions that are not claimed yet take this much memory.
     *
     * @return bytes on the heap, estimated; 1 or more, below {@code windrow.writer.source.max-bytes}
     */
    @WithDefault("32M")
    MemorySize maxBytes();

    /**
     * How long messages wait to be claimed together. Longer means fewer writes and later counts.
     *
     * @return more than 0; keep it well below the queue's visibility timeout
     */
    @WithDefault("1s")
    Duration maxAge();
}
