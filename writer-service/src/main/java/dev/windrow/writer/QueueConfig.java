package dev.windrow.writer;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the source. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.source")
public interface QueueConfig {

    /** Concurrent receives per queue. */
    @SettingRange(unit = "requests", min = "1")
    @WithDefault("4")
    int pollers();

    /**
     * Memory for messages and for what is made of them until they are deleted or returned. At the limit nothing is
     * received, and nothing is decoded that does not fit. Only receives under way may exceed it. Half of it is
     * for what is not claimed yet, and three quarters are the most for one message.
     */
    @SettingRange(unit = "bytes on the heap, estimated", min = "2M", advice = "keep it well below the maximum heap")
    @WithDefault("64M")
    MemorySize maxBytes();

    /**
     * A message received more often than this goes to the dead-letter queue without being read. Keep it below {@code
     * maxReceiveCount} of the queue's own redrive policy, which moves messages without a reason: for operators whose queue
     * has a policy that they did not choose.
     */
    @SettingRange(unit = "receives", min = "1")
    @WithDefault("90")
    int maxReceiveCount();
}
