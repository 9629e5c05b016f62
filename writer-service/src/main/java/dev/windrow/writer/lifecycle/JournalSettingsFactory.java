package dev.windrow.writer.lifecycle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.windrow.dataset.Datasets;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.time.Granularity;
import dev.windrow.writer.flow.AggregateConfig;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.apply.Applicator;
import dev.windrow.writer.journal.apply.WriteEvery;
import dev.windrow.writer.journal.claim.ClaimLimits;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.journal.JournalConfig;

/** The journal's settings, from the configuration. */
record JournalSettingsFactory(JournalConfig config, StoreConfig store, AggregateConfig aggregate) {

    private static final String PREFIX = "windrow.writer.journal.";
    private static final Duration MAX_WAIT = Duration.ofHours(1);
    /** The applied part of a lane moves on with its oldest record: more of them save nothing, and lengthen recoveries. */
    private static final int MAX_RECORDS = 1_000;

    JournalSettings settings(Datasets datasets, RandomGenerator random) {
        int maxCells = (int) Math.min(aggregate.maxBytes().asLongValue() / Applicator.USUAL_CELL_BYTES, Integer.MAX_VALUE);
        return new JournalSettings(holder(random), aggregate.maxAge(), config.lease(), config.retention(),
                config.deleteAfter(), store.maxConcurrency(), maxCells, MAX_RECORDS, ClaimLimits.DEFAULTS,
                config.deniedFor(), writeEvery(datasets));
    }

    private WriteEvery writeEvery(Datasets datasets) {
        Map<Granularity, Duration> waits = new HashMap<>();
        datasets.all().forEach(dataset -> dataset.granularities().forEach(
                granularity -> waits.put(granularity, WriteEvery.FINE)));
        config.writeEvery().forEach((name, wait) -> {
            Granularity granularity = Granularity.parse(name).orElseThrow(() -> new InvalidInputException(
                    Reason.INVALID_SETTING, PREFIX + "write-every", "expected " + Granularity.EXPECTED + ", found " + name));
            require(isPositive(wait) && wait.compareTo(MAX_WAIT) <= 0, "write-every." + name, "1ms to 1h", wait);
            waits.put(granularity, wait);
        });
        return new WriteEvery(waits);
    }

    private static boolean isPositive(Duration duration) {
        return duration.toMillis() > 0;
    }

    private static void require(boolean met, String setting, String expectation, Duration found) {
        if (!met) {
            throw new InvalidInputException(Reason.INVALID_SETTING, PREFIX + setting,
                    "expected " + expectation + ", found " + found);
        }
    }

    /** Readable, and never the same again. */
    private static String holder(RandomGenerator random) {
        String host = System.getenv("HOSTNAME");
        return (host == null || host.isBlank() ? "writer" : host) + "-" + Long.toHexString(random.nextLong());
    }
}
