package dev.windrow.writer.source;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the source. */
@ConfigMapping(prefix = "windrow.source")
public interface SourceConfig {

    /** How many receives are under way at a time for each queue. */
    @WithDefault("4")
    int pollers();

    /**
     * How long a receive waits for a first message, at most 20 s (SQS). A drain waits as long for receives under way, as
     * messages of a receive that is cut off stay hidden until their visibility timeout.
     */
    @WithDefault("5s")
    @WithName("wait")
    Duration receiveWait();

    /** Most messages in memory; each receive reserves room for 10. */
    @WithDefault("20000")
    int maxMessages();

    /** No receive begins while the bodies in memory have more bytes than this; those under way may exceed it. */
    @WithDefault("64M")
    MemorySize maxBytes();

    /** A message received more often than this goes to the dead-letter queue unread. */
    @WithDefault("1000")
    int maxReceives();

    /** Pause after a receive that failed. */
    @WithDefault("1s")
    Duration pauseAfterFailure();
}
