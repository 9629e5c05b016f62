package dev.windrow.writer.queue;

import java.time.Duration;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the source. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.source")
public interface QueueConfig {

    /**
     * Concurrent receives per queue.
     */
    @SettingRange(unit = "requests", min = "1")
    @WithDefault("4")
    int pollers();

    /**
     * How long a receive waits for the first message (long polling). A drain waits as long for receives under way, since
     * messages of an aborted receive stay hidden until their visibility timeout.
     */
    @SettingRange(min = "0s", max = "20s")
    @WithDefault("5s")
    @WithName("wait-time")
    Duration receiveWait();

    /**
     * Maximum number of messages in memory. Each receive reserves 10.
     */
    @SettingRange(unit = "messages", min = "10")
    @WithDefault("20000")
    int maxMessages();

    /**
     * Memory for messages and for what is made of them until they are deleted or returned. At the limit nothing is
     * received, and nothing is decoded that does not fit. Receives under way, and one message alone, may exceed it.
     */
    @SettingRange(unit = "bytes on the heap, estimated", min = "1", advice = "keep it well below the maximum heap")
    @WithDefault("64M")
    MemorySize maxBytes();

    /**
     * A message received more often than this goes to the dead-letter queue without being read. Keep it below {@code
     * maxReceiveCount} of the queue's own redrive policy, which moves messages without a reason.
     */
    @SettingRange(unit = "receives", min = "1")
    @WithDefault("90")
    int maxReceiveCount();

    /**
     * Pause after a failed receive.
     */
    @SettingRange(above = "0s")
    @WithDefault("1s")
    Duration errorBackoff();

    /** Settings of deletes and of other requests about single messages. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.writer.acknowledge")
    public interface AcknowledgeConfig {

        /**
         * How long a delete or return waits for others to fill its batch of 10.
         */
        @SettingRange(min = "0s", advice = "keep it well below the queue's visibility timeout")
        @WithDefault("50ms")
        Duration linger();

        /**
         * Maximum number of delete batches in flight. Returns have the same limit, visibility extensions a quarter of it.
         */
        @SettingRange(unit = "requests", min = "1")
        @WithDefault("32")
        int maxConcurrency();

        /**
         * Attempts of a request before its message is left to its visibility timeout.
         */
        @SettingRange(unit = "attempts", min = "1")
        @WithDefault("5")
        int maxAttempts();

        /**
         * Pause before the second attempt. It doubles with each further one.
         */
        @SettingRange(above = "0s")
        @WithDefault("100ms")
        Duration initialBackoff();

        /**
         * How long SQS may take for one batch.
         */
        @SettingRange(above = "0s")
        @WithDefault("10s")
        Duration timeout();
    }
}
