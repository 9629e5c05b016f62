package dev.windrow.writer.lifecycle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.writer.flow.AggregateConfig;
import dev.windrow.writer.journal.JournalSettings;
import dev.windrow.writer.journal.apply.Cells;
import dev.windrow.writer.journal.apply.WriteEvery;
import dev.windrow.writer.journal.claim.ClaimLimits;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.journal.JournalConfig;

/** The journal's settings, from the configuration. */
record JournalSettingsFactory(JournalConfig config, StoreConfig store, AggregateConfig aggregate) {

    /** The applied part of a lane moves on with its oldest record: more of them save nothing, and lengthen recoveries. */
    private static final int MAX_RECORDS = 1_000;

    JournalSettings settings(Datasets datasets, RandomGenerator random) {
        long cells = Math.max(1, aggregate.maxBytes().asLongValue() / Cells.USUAL_CELL_BYTES);
        int maxCells = (int) Math.min(cells, Integer.MAX_VALUE);
        return new JournalSettings(holder(random), aggregate.maxAge(), config.lease(), config.retention(),
                config.deleteAfter(), store.maxConcurrency(), maxCells, MAX_RECORDS, ClaimLimits.DEFAULTS,
                config.deniedFor(), writeEvery(datasets), config.backlogDelay());
    }

    private WriteEvery writeEvery(Datasets datasets) {
        Map<Granularity, Duration> waits = new HashMap<>();
        // Queries have nothing finer to read instead.
        datasets.all().forEach(dataset -> waits.put(dataset.granularities().get(0), WriteEvery.FINE));
        config.writeEvery()
                .forEach((name, wait) -> Granularity.parse(name).ifPresent(granularity -> waits.put(granularity, wait)));
        return new WriteEvery(waits);
    }

    /** Readable, and never the same again. */
    private static String holder(RandomGenerator random) {
        String host = System.getenv("HOSTNAME");
        return (host == null || host.isBlank() ? "writer" : host) + "-" + Long.toHexString(random.nextLong());
    }
}
