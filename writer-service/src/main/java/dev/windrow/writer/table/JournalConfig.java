package dev.windrow.writer.table;

import java.time.Duration;
import java.util.Map;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the journal, by which the writer counts exactly once. */
@ConfigMapping(prefix = "windrow.writer.journal")
public interface JournalConfig {

    /**
     * How long the holder of a lane may be silent before another writer takes the lane over and applies what is left in it.
     *
     * @return 1s or more; longer than garbage collection or a busy node may suspend a writer
     */
    @WithDefault("20s")
    Duration lease();

    /**
     * Retention of claims: for how long redeliveries are recognized. The writer does not start if a queue keeps messages
     * as long or longer.
     *
     * @return more than the retention of the queues, at most 14d each (SQS)
     */
    @WithDefault("15d")
    Duration retention();

    /**
     * How long after its claim a message is deleted at the latest, even if its additions are not in the table yet.
     *
     * @return more than 0
     */
    @WithDefault("15s")
    Duration deleteAfter();

    /**
     * How long an update that the table denies is retried before its additions go to the dead-letter queue.
     *
     * @return more than 0
     */
    @WithDefault("1m")
    Duration deniedFor();

    /**
     * How long claimed additions may wait for more before they are written, by granularity: longer waits save writes, and
     * the buckets of that granularity lag. If it is not listed, the finest granularity of a dataset waits 1s, and so do
     * seconds and minutes; others up to an hour wait 30s, and days and longer ones 5m.
     *
     * @return granularity, more than 0, at most 1h each
     */
    Map<String, Duration> writeEvery();

    /**
     * How much longer than {@code write-every} additions wait in a backlog, that is while the writer's memory is full of
     * messages that were sent longer ago than this: catching up then costs fewer writes.
     *
     * @return 0s to 1m
     */
    @WithDefault("4s")
    Duration backlogDelay();

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
}
