package dev.windrow.writer.source;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the source. */
@ConfigMapping(prefix = "windrow.writer.source")
public interface SourceConfig {

    /** How many receives are under way at a time for each queue. */
    @WithDefault("4")
    int pollers();

    /**
     * How long a receive waits for a first message, at most 20 s (SQS). A drain waits as long for receives under way, as
     * messages of a receive that is cut off stay hidden until their visibility timeout.
     */
    @WithDefault("5s")
    @WithName("wait-time")
    Duration receiveWait();

    /** Most messages in memory; each receive reserves room for 10. */
    @WithDefault("20000")
    int maxMessages();

    /**
     * Memory for messages and for what becomes of them until they end: no receive begins while more is held, and nothing is
     * decoded that does not fit. Receives under way, and one message alone, may exceed it.
     */
    @WithDefault("64M")
    MemorySize maxBytes();

    /**
     * A message received more often than this goes to the dead-letter queue unread. Should be less than the maximum receive
     * count of the queue's own redrive policy, which moves messages without a reason.
     */
    @WithDefault("90")
    int maxReceiveCount();

    /** Pause after a receive that failed. */
    @WithDefault("1s")
    Duration errorBackoff();
}
