package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/** The recently used series of a dataset. Bounded: all are dropped when there are too many. Thread-safe. */
final class SeriesCache {

    /** Of all datasets together: some 20,000 labels of 50 characters, each with its key. */
    private static final long MAX_HEAP_BYTES = 12 * 1_024 * 1_024;
    private static final int PAIR_BITS = 11;

    private final Dataset dataset;
    /** Names are part of sort keys. */
    private final Granularity longestNamed;
    private final Map<SeriesKey, Series> known = new ConcurrentHashMap<>();
    /** Recent series, two per slot, the newer first: most lookups end here. */
    private final @Nullable Series[] recent = new Series[2 << PAIR_BITS];
    private final AtomicLong heapBytes = new AtomicLong();
    private final long maxHeapBytes;

    /** @param datasets number of datasets, which share the memory */
    SeriesCache(Dataset dataset, int datasets) {
        this.dataset = dataset;
        this.longestNamed = dataset.longestNamed();
        this.maxHeapBytes = MAX_HEAP_BYTES / datasets;
    }

    /**
     * The series with its keys, which are checked.
     *
     * @throws InvalidInputException if one of its keys is too long, or not well-formed text
     */
    Series of(String tenant, String[] values, int keyShard) {
        int hash = 31 * tenant.hashCode() + keyShard;
        for (String value : values) {
            hash = 31 * hash + value.hashCode();
        }
        // Multiplied, as labels that differ in some digits only would crowd.
        int place = 2 * ((hash * 0x9E3779B9) >>> (Integer.SIZE - PAIR_BITS));
        Series newer = recent[place];
        if (newer != null && newer.is(tenant, values, keyShard)) {
            return newer;
        }
        Series older = recent[place + 1];
        if (older != null && older.is(tenant, values, keyShard)) {
            return older;
        }
        SeriesKey key = new SeriesKey(tenant, dataset.name(), Label.of(values), dataset.partition(), keyShard);
        Series series = known.get(key);
        if (series == null) {
            series = add(key);
        }
        // Read again, as adding may have dropped all.
        recent[place + 1] = recent[place];
        recent[place] = series;
        return series;
    }

    private Series add(SeriesKey key) {
        Series series = Series.of(key);
        if (!dataset.index().isEmpty()) {
            // All starts are written with 20 characters, so any of them shows whether the label fits.
            new BucketKey(key, dataset.index().get(0), Instant.EPOCH).indexSortKey();
        }
        if (!dataset.isWholeLabelPartition()) {
            new BucketKey(key, longestNamed, Instant.EPOCH).sortKey();
        }
        if (heapBytes.addAndGet(series.heapBytes()) > maxHeapBytes) {
            heapBytes.set(series.heapBytes());
            known.clear();
            Arrays.fill(recent, null);
        }
        known.put(key, series);
        return series;
    }
}
