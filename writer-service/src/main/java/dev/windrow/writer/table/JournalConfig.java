package dev.windrow.writer.table;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import dev.windrow.time.Granularity;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the journal, by which the writer counts exactly once. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.journal")
public interface JournalConfig {

    /**
     * How long the holder of a lane may be silent before another writer takes the lane over and applies what is left in it.
     */
    @SettingRange(min = "1s", below = "1m", advice = "longer than garbage collection or a busy node may suspend a writer")
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
                .orElseThrow(() -> new InvalidInputException(Reason.INVALID_SETTING,
                        "windrow.writer.journal.write-every." + name,
                        "expected " + Granularity.EXPECTED + ", found " + name)),
                wait));
        return waits;
    }
}
