package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.table.BucketKey;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.IndexKey;

/**
 * The items of a dataset's recently used buckets. Messages mostly add to the same buckets as the messages before them, and
 * writing an item's keys costs more than adding up its events. Bounded: two items per slot, the newer first; a third evicts
 * the older. Thread-safe.
 */
final class BucketItemCache {

    /** Of all datasets together, so at most 4 MB. */
    private static final int MAX_PLACES = 4_096;
    private static final int MAX_ITEM_BYTES = 1_024;

    private final Dataset dataset;
    private final @Nullable Entry[] places;

    /** @param width of the scatter epoch that the item was made for */
    private record Entry(Series series, Granularity granularity, long start, int width, BucketItem item) {

        boolean is(Series wanted, Granularity wantedGranularity, long wantedStart, int wantedWidth) {
            return start == wantedStart && width == wantedWidth && granularity.equals(wantedGranularity)
                    && series.equals(wanted);
        }
    }

    /** @param datasets how many share the memory */
    BucketItemCache(Dataset dataset, int datasets) {
        this.dataset = dataset;
        this.places = new Entry[Math.max(2, Integer.highestOneBit(MAX_PLACES / datasets))];
    }

    /**
     * The item of a bucket, with its keys.
     *
     * @param start of the bucket, in seconds since the epoch
     * @param time in the bucket, which decides the scatter width of a new item
     * @param random drawn from if the dataset scatters at random
     */
    BucketItem of(Series series, Granularity granularity, long start, Instant time, RandomGenerator random) {
        int width = dataset.scatter().widthAt(time);
        int place = place(series, granularity, start);
        Entry newer = places[place];
        if (newer != null && newer.is(series, granularity, start, width)) {
            return newer.item();
        }
        Entry older = places[place + 1];
        if (older != null && older.is(series, granularity, start, width)) {
            return older.item();
        }
        BucketItem item = item(series, new BucketKey(series.key(), granularity, Instant.ofEpochSecond(start)), time, random);
        if (item.heapBytes() <= MAX_ITEM_BYTES) {
            places[place + 1] = newer;
            places[place] = new Entry(series, granularity, start, width, item);
        }
        return item;
    }

    private int place(Series series, Granularity granularity, long start) {
        int hash = 31 * (31 * series.hashCode() + granularity.hashCode()) + Long.hashCode(start);
        // Multiplied, as starts differ in some bits only.
        hash *= 0x9E3779B9;
        return (hash ^ hash >>> 16) & (places.length - 2);
    }

    private BucketItem item(Series series, BucketKey bucket, Instant time, RandomGenerator random) {
        IndexKey index = null;
        if (dataset.isIndexed(bucket.granularity())) {
            String sortKey = bucket.indexSortKey();
            index = new IndexKey(bucket.indexPartitionKey(dataset.scatter().shardOf(time, sortKey, random)), sortKey);
        }
        return new BucketItem(series.partitionKey(), bucket.sortKey(), index);
    }
}
