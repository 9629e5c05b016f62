package dev.windrow.writer.flow;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of aggregation: when what was gathered is written. They stand here as the aggregation itself is pure. */
@ConfigMapping(prefix = "windrow.writer.aggregate")
public interface AggregateConfig {

    /** Once that many events are gathered, they are written. */
    @WithDefault("50000")
    long maxEvents();

    /** Once messages, and what was gathered of them, take that much memory, it is written. */
    @WithDefault("32M")
    MemorySize maxBytes();

    /** Once that many messages are gathered for a series, for each of its ledger slots in a second, it is written. */
    @WithDefault("100")
    int maxSeriesMessages();

    /** What was gathered is written once it is that old. */
    @WithDefault("1s")
    Duration maxAge();
}
