package dev.windrow.writer.table;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import dev.windrow.dataset.Granularity;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the journal, by which the writer counts exactly once. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.journal")
public interface JournalConfig {

    /**
     * How long the holder of a lane may be silent before another writer takes the lane over and applies what is left in it.
     */
    @SettingRange(min = "1s", advice = "longer than garbage collection or a busy node may suspend a writer")
    @WithDefault("20s")
    Duration lease();

    /**
     * Retention of claims: for how long redeliveries are recognized. The writer does not start if a queue keeps messages
     * as long or longer.
     */
    @SettingRange(above = "0s", advice = "longer than the retention of the queues, which is at most 14d (SQS)")
    @WithDefault("15d")
    Duration retention();

    /**
     * How long after its claim a message is deleted at the latest, even if its additions are not in the table yet.
     */
    @SettingRange(above = "0s")
    @WithDefault("15s")
    Duration deleteAfter();

    /**
     * How long an update that the table denies is retried before its additions go to the dead-letter queue.
     */
    @SettingRange(above = "0s")
    @WithDefault("1m")
    Duration deniedFor();

    /**
     * How long claimed additions may wait for more before they are written, by granularity: longer waits save writes, and
     * the buckets of that granularity lag. If it is not listed, the finest granularity of a dataset waits 1s, and so do
     * seconds and minutes; others up to an hour wait 30s, and days and longer ones 5m.
     */
    @SettingRange(above = "0s", max = "1h")
    Map<String, Duration> writeEvery();

    /** @throws InvalidInputException if there is no granularity of a name */
    default Map<Granularity, Duration> writeEveryGranularity() {
        Map<Granularity, Duration> waits = new HashMap<>();
        writeEvery().forEach((name, wait) -> waits.put(Granularity.parse(name)
                .orElseThrow(
                        () -> new InvalidInputException(Reason.INVALID_SETTING, "windrow.writer.journal.write-every." + name,
                                "expected " + Granularity.EXPECTED + ", found " + name)),
                wait));
        return waits;
    }

    /**
     * How much longer than {@code write-every} additions wait in a backlog, that is while the writer's memory is full of
     * messages that were sent longer ago than this: catching up then costs fewer writes.
     */
    @SettingRange(min = "0s", max = "1m")
    @WithDefault("4s")
    Duration backlogDelay();

    /** Settings of aggregation: when additions are claimed. They are here because the aggregation itself is pure. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.writer.aggregate")
    public interface AggregateConfig {

        /**
         * Everything is claimed at once while additions that are not claimed yet take this much memory.
         */
        @SettingRange(unit = "bytes on the heap, estimated", min = "1", below = "windrow.writer.source.max-bytes")
        @WithDefault("32M")
        MemorySize maxBytes();

        /**
         * How long messages wait to be claimed together. Longer means fewer writes and later counts.
         */
        @SettingRange(above = "0s", advice = "keep it well below the queue's visibility timeout")
        @WithDefault("1s")
        Duration maxAge();
    }
}
