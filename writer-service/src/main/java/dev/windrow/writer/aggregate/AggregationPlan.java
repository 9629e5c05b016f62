package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.time.Granularity;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.IndexKey;
import dev.windrow.writer.record.Measured;
import dev.windrow.writer.record.WholeSums;

/**
 * How a dataset is aggregated. Events are summed in base buckets, the coarsest from which all granularities can be derived,
 * so that the work per event does not grow with the number of granularities.
 *
 * @param number index of the dataset among all, from 0
 * @param summed its measures, if all are counts and sums and there are not too many; empty otherwise
 * @param bucketBytes estimated heap size of one base bucket
 */
record AggregationPlan(Dataset dataset, int number, Granularity base, List<Measured> summed, SeriesCache knownSeries,
        BucketItemCache knownItems, long bucketBytes) {

    /** A bucket's totals and its place in the list. */
    private static final long BUCKET_BYTES = 96;
    /** A measure's value with its number; most sums take less. */
    private static final long VALUE_BYTES = 112;

    /** @param datasets number of datasets, which share the memory for cached series and items */
    static AggregationPlan of(Dataset dataset, int number, int datasets) {
        List<Measure> measures = dataset.measures();
        boolean whole = measures.size() <= WholeSums.MAX_MEASURES
                && measures.stream().allMatch(measure -> measure.kind().isAdditive());
        return new AggregationPlan(dataset, number, base(dataset.granularities()),
                whole ? measures.stream().map(measure -> new Measured(measure.name(), measure.kind())).toList() : List.of(),
                new SeriesCache(dataset, datasets), new BucketItemCache(dataset, datasets),
                BUCKET_BYTES + VALUE_BYTES * measures.stream().filter(measure -> !measure.countsAll()).count());
    }

    /** Returns the measures in declared order, which is the order of values in totals. */
    List<Measure> measures() {
        return dataset.measures();
    }

    private static Granularity base(List<Granularity> granularities) {
        return Stream.concat(granularities.stream(),
                Stream.of(Granularity.DAY, Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND))
                .filter(candidate -> granularities.stream().allMatch(candidate::nestsIn)).max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Cache of the recently used series of a dataset. Bounded: when it is full, all are dropped. Thread-safe. */
    static final class SeriesCache {

        /** For all datasets together: about 20,000 labels of 50 characters, each with its key. */
        private static final long MAX_HEAP_BYTES = 12 * 1_024 * 1_024;
        private static final int PAIR_BITS = 11;

        private final Dataset dataset;
        /** The granularity with the longest name, as names are part of sort keys. */
        private final Granularity longestNamed;
        private final Map<SeriesKey, ResolvedSeries> known = new ConcurrentHashMap<>();
        /** Recent series, two per slot, newer first. Most lookups end here. */
        private final @Nullable ResolvedSeries[] recent = new ResolvedSeries[2 << PAIR_BITS];
        private final AtomicLong heapBytes = new AtomicLong();
        private final long maxHeapBytes;

        /** @param datasets number of datasets, which share the memory */
        SeriesCache(Dataset dataset, int datasets) {
            this.dataset = dataset;
            this.longestNamed = dataset.longestNamed();
            this.maxHeapBytes = MAX_HEAP_BYTES / datasets;
        }

        /** Returns the series with its keys. Fails if a key is too long or not well-formed text. */
        ResolvedSeries of(String tenant, String[] values, int keyShard) {
            int hash = 31 * tenant.hashCode() + keyShard;
            for (String value : values) {
                hash = 31 * hash + value.hashCode();
            }
            // Multiplied, as labels that differ only in some digits would cluster.
            int place = 2 * ((hash * 0x9E3779B9) >>> (Integer.SIZE - PAIR_BITS));
            ResolvedSeries newer = recent[place];
            if (newer != null && newer.is(tenant, values, keyShard)) {
                return newer;
            }
            ResolvedSeries older = recent[place + 1];
            if (older != null && older.is(tenant, values, keyShard)) {
                return older;
            }
            SeriesKey key = new SeriesKey(tenant, dataset.name(), Label.of(values), dataset.partition(), keyShard);
            ResolvedSeries series = known.get(key);
            if (series == null) {
                series = add(key);
            }
            // Reads the slot again, as adding may have cleared the cache.
            recent[place + 1] = recent[place];
            recent[place] = series;
            return series;
        }

        private ResolvedSeries add(SeriesKey key) {
            ResolvedSeries series = ResolvedSeries.of(key);
            if (!dataset.index().isEmpty()) {
                // Every start has 20 characters, so any start shows whether the label fits.
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

    /**
     * Cache of the items of a dataset's recently used buckets. Most messages add to the same buckets as those before them, and
     * encoding an item's keys costs more than adding up its events. Bounded: two items per slot, newer first; a third evicts
     * the older. Thread-safe.
     */
    static final class BucketItemCache {

        /** For all datasets together: at most 4 MB. */
        private static final int MAX_PLACES = 4_096;
        private static final int MAX_ITEM_BYTES = 1_024;

        private final Dataset dataset;
        private final @Nullable Entry[] places;

        /** @param width width of the scatter epoch that the item was created for */
        private record Entry(ResolvedSeries series, Granularity granularity, long start, int width, BucketItem item) {

            boolean is(ResolvedSeries wanted, Granularity wantedGranularity, long wantedStart, int wantedWidth) {
                return start == wantedStart && width == wantedWidth && granularity.equals(wantedGranularity)
                        && series.equals(wanted);
            }
        }

        /** @param datasets number of datasets, which share the memory */
        BucketItemCache(Dataset dataset, int datasets) {
            this.dataset = dataset;
            this.places = new Entry[Math.max(2, Integer.highestOneBit(MAX_PLACES / datasets))];
        }

        /**
         * Returns the item of a bucket, with its keys.
         *
         * @param start start of the bucket, in seconds since the epoch
         * @param time a time in the bucket, which decides the scatter width of a new item
         * @param random used if the dataset scatters at random
         * @param created gets an item that is not shared with earlier additions
         */
        BucketItem of(ResolvedSeries series, Granularity granularity, long start, Instant time, RandomGenerator random,
                Consumer<BucketItem> created) {
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
            BucketItem item = item(series, new BucketKey(series.key(), granularity, Instant.ofEpochSecond(start)), time,
                    random);
            created.accept(item);
            if (item.heapBytes() <= MAX_ITEM_BYTES) {
                places[place + 1] = newer;
                places[place] = new Entry(series, granularity, start, width, item);
            }
            return item;
        }

        private int place(ResolvedSeries series, Granularity granularity, long start) {
            int hash = 31 * (31 * series.hashCode() + granularity.hashCode()) + Long.hashCode(start);
            // Multiplied, as starts differ only in some bits.
            hash *= 0x9E3779B9;
            return (hash ^ hash >>> 16) & (places.length - 2);
        }

        private BucketItem item(ResolvedSeries series, BucketKey bucket, Instant time, RandomGenerator random) {
            IndexKey index = null;
            if (dataset.isIndexed(bucket.granularity())) {
                String sortKey = bucket.indexSortKey();
                index = new IndexKey(bucket.indexPartitionKey(dataset.scatter().shardOf(time, sortKey, random)), sortKey);
            }
            return new BucketItem(series.partitionKey(), bucket.sortKey(), index);
        }
    }
}
