package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.windrow.dataset.Dataset;
import dev.windrow.key.BucketKey;
import dev.windrow.key.SeriesKey;
import dev.windrow.reason.ReasonedException;

/** The series of a dataset that were met lately. Bounded: all are forgotten when there are too many. Thread-safe. */
final class KnownSeries {

    /** Some 10,000 labels of 50 characters, each with its key. */
    private static final long MOST_CHARACTERS = 1_000_000;

    private final Dataset dataset;
    private final Map<SeriesKey, Series> known = new ConcurrentHashMap<>();
    private final AtomicLong characters = new AtomicLong();

    KnownSeries(Dataset dataset) {
        this.dataset = dataset;
    }

    /**
     * The series with its keys, which are checked.
     *
     * @throws ReasonedException if a key of it is too long, or is no text
     */
    Series of(SeriesKey key) {
        Series series = known.get(key);
        return series == null ? add(key) : series;
    }

    private Series add(SeriesKey key) {
        String partitionKey = key.partitionKey();
        if (!dataset.index().isEmpty()) {
            // All starts are written with 20 characters, so any of them tells whether the label fits.
            new BucketKey(key, dataset.index().get(0), Instant.EPOCH).indexSortKey();
        }
        if (characters.addAndGet(2L * partitionKey.length()) > MOST_CHARACTERS) {
            characters.set(0);
            known.clear();
        }
        Series series = new Series(key, partitionKey);
        known.put(key, series);
        return series;
    }
}
