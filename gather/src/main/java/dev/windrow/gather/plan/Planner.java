package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Scatter.WidthRange;
import dev.windrow.gather.plan.LabelSelection.LabelPartition;
import dev.windrow.gather.plan.Planner.PartitionRanges.KeyRange;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryPlan.ItemFilter;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.plan.QueryPlan.ShardQuery.Source;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.table.Utf8Order;

/**
 * Plans reads of the selected labels: from the table, if all values of its partition key are given, so that their items are
 * next to each other; otherwise from the index, where the items of all labels are read and filtered.
 *
 * @param options consistent only for labels in the table
 */
public record Planner(DatasetScope scope, LabelSelection selection, QueryOptions options) {

    static final char AFTER_SEPARATOR = KeyCodec.SEPARATOR + 1;

    /**
     * The reads of the buckets of one granularity.
     *
     * @param range aligned to the granularity
     * @param after only items beyond this place, in the requested order
     */
    public QueryPlan plan(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        QueryPlan plan = selection.isInTable() ? new QueryPlan(List.of(table(granularity, range, descending, after)))
                : index(granularity, range, descending, after);
        return new QueryPlan(plan.stages().stream()
                .map(stage -> options.freshness().mayLag(granularity, stage.until()) ? stage.lagging() : stage).toList());
    }

    /** The reads of everything in the parts of a range, in order of time, as below. */
    public QueryPlan tiled(List<Granularity> stored, SumRange sums) {
        return new QueryPlan(sums.parts().stream().flatMap(part -> tiled(stored, part, false).stages().stream()).toList());
    }

    /** The reads of everything in a range, by the coarsest buckets that tile it and do not lag. */
    public QueryPlan tiled(List<Granularity> stored, TimeRange range, boolean descending) {
        List<Tiling> tiles = new ArrayList<>(Tiling.of(stored, range, options.freshness(), options.horizons()));
        if (descending) {
            Collections.reverse(tiles);
        }
        return new QueryPlan(tiles.stream()
                .flatMap(tile -> plan(tile.granularity(), tile.range(), descending, Optional.empty()).stages().stream())
                .toList());
    }

    /**
     * The reads of the scattered index: for each part of a range of starts, just the shards that may hold its items.
     * <p>
     * No sort key equals a bound, so inclusive bounds are enough. In a key, the start is a whole second and followed by the
     * separator, so all keys of a start sort after the start alone, and before the start with a {@code $}, the character after
     * the separator.
     */
    private QueryPlan index(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        TimeRange left = after.map(cursor -> descending
                ? new TimeRange(range.from(), cursor.start().plusSeconds(1))
                : new TimeRange(cursor.start(), range.to())).orElse(range);
        List<QueryPlan.Stage> stages = new ArrayList<>();
        for (WidthRange part : scope.dataset().scatter().rangesIn(left.from(), left.to(), granularity)) {
            stages.add(stage(granularity, part, left, descending, after));
        }
        if (descending) {
            Collections.reverse(stages);
        }
        return new QueryPlan(stages);
    }

    private QueryPlan.Stage stage(Granularity granularity, WidthRange part, TimeRange left, boolean descending,
            Optional<Cursor> after) {
        boolean firstInOrder = descending ? part.to().equals(left.to()) : part.from().equals(left.from());
        String fromKey = after.filter(cursor -> firstInOrder && !descending)
                .map(cursor -> cursor.position() + AFTER_SEPARATOR)
                .orElseGet(() -> part.from().toString());
        String toKey = after.filter(cursor -> firstInOrder && descending)
                .map(cursor -> cursor.position() + KeyCodec.SEPARATOR)
                .orElseGet(() -> part.to().minusSeconds(1).toString() + AFTER_SEPARATOR);
        String partitions = BucketKey.indexPartitionKeyPrefix(scope.tenant(), scope.dataset().name(), granularity);
        ItemFilter filter = new ItemFilter(selection.labelPrefixes(), Optional.empty(), selection.where());
        return new QueryPlan.Stage(granularity, IntStream.range(0, part.width())
                .mapToObj(shard -> new ShardQuery(Source.INDEX, shard, partitions + shard, fromKey, toKey, descending,
                        false, part.to(), selection.keyPrefixes(), filter))
                .toList());
    }

    /** The reads of partitions of the table: each key shard of each. */
    private QueryPlan.Stage table(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        PartitionRanges ranges = new PartitionRanges(scope.dataset(), granularity, range, descending,
                selection.partitions().size());
        List<ShardQuery> shards = new ArrayList<>();
        for (LabelPartition partition : selection.partitions()) {
            for (KeyRange keys : ranges.of(partition, after)) {
                for (int keyShard = 0; keyShard < scope.dataset().keyShards(); keyShard++) {
                    shards.add(new ShardQuery(Source.TABLE, shards.size(), partitionKey(partition, keyShard), keys.fromKey(),
                            keys.toKey(), descending, options.consistent(), keys.until(), List.of(),
                            keys.items().where(selection.where())));
                }
            }
        }
        return new QueryPlan.Stage(granularity, shards);
    }

    private String partitionKey(LabelPartition partition, int keyShard) {
        return new SeriesKey(scope.tenant(), scope.dataset().name(), new Label(partition.first()), keyShard).partitionKey();
    }

    /**
     * The sort keys of a table partition that hold the buckets of a range of starts. In a bucket, labels with the same first
     * values are next to each other. So if not all labels of the partition are wanted, and the range has few buckets, each
     * bucket has a key range of its own. Otherwise one key range holds all of them, and unwanted labels are dropped.
     * <p>
     * Bounds are inclusive, but no key equals a bound that ends with the character after the separator: in a key, the start and
     * each value are followed by the separator, which sorts before it, and an escape is always followed by another character.
     *
     * @param partitions number of partitions that share the maximum number of ranges
     */
    record PartitionRanges(Dataset dataset, Granularity granularity, TimeRange range, boolean descending, int partitions) {

        /** Maximum number of ranges of a stage, counting key shards: as many reads as for a usual width. */
        static final int MAX_RANGES = 100;

        /**
         * The ranges of a partition.
         *
         * @param after only items beyond this place, in the requested order
         */
        List<KeyRange> of(LabelPartition partition, Optional<Cursor> after) {
            TimeRange left = after.map(cursor -> beyond(partition, cursor)).orElse(range);
            if (left.isEmpty()) {
                return List.of();
            }
            KeyRange whole = after.filter(cursor -> isIn(partition, cursor)).map(cursor -> beyond(partition, left, cursor))
                    .orElseGet(() -> whole(partition, left));
            List<Instant> starts = partition.prefixes().isEmpty() ? List.of() : starts(left, partition.prefixes().size());
            List<KeyRange> ranges = new ArrayList<>(starts.isEmpty() ? List.of(whole) : List.of());
            for (Instant start : starts) {
                Instant end = TimeRange.earlier(granularity.end(start), TimeRange.END);
                String bucket = BucketKey.sortKey(granularity, start) + KeyCodec.SEPARATOR;
                partition.prefixes().forEach(prefix -> ranges.add(part(whole, bucket, partition.rest(prefix), end)));
            }
            ranges.removeIf(KeyRange::isEmpty);
            return ranges;
        }

        /** The starts of buckets in a range; empty if they are too many for a range each. */
        private List<Instant> starts(TimeRange of, int prefixes) {
            List<Instant> starts = new ArrayList<>();
            Instant start = TimeRange.ceiling(granularity, of.from());
            while (start.isBefore(of.to())) {
                starts.add(start);
                if (starts.size() * prefixes > MAX_RANGES / (partitions * dataset.keyShards())) {
                    return List.of();
                }
                start = granularity.end(start);
            }
            return starts;
        }

        /** @param rest prefix of the label values in the sort key, each value followed by the separator */
        private KeyRange part(KeyRange whole, String bucket, String rest, Instant end) {
            boolean oneLabel = rest.chars().filter(c -> c == KeyCodec.SEPARATOR).count() == dataset.label().size()
                    - dataset.partition();
            if (oneLabel) {
                String key = bucket + rest.substring(0, rest.length() - 1);
                return whole.within(key, key, end);
            }
            String following = following(bucket + rest);
            boolean fits = KeyCodec.utf8Length(QueryParameter.LABEL.word(), following) <= AwsLimits.SORT_KEY_BYTES;
            return whole.within(bucket + rest, fits ? following : following(bucket), end);
        }

        /** The first text that sorts after all texts with a prefix. */
        private static String following(String text) {
            int last = text.codePointBefore(text.length());
            String before = text.substring(0, text.length() - Character.charCount(last));
            if (last == Character.MAX_CODE_POINT) {
                return following(before);
            }
            boolean surrogatesFollow = last + 1 == Character.MIN_SURROGATE;
            return before + Character.toString(surrogatesFollow ? Character.MAX_SURROGATE + 1 : last + 1);
        }

        private KeyRange whole(LabelPartition partition, TimeRange of) {
            String lastStart = BucketKey.sortKey(granularity, of.to().minusSeconds(1));
            return new KeyRange(BucketKey.sortKey(granularity, of.from()),
                    dataset.isWholeLabelPartition() ? lastStart : lastStart + Planner.AFTER_SEPARATOR, of.to(),
                    new ItemFilter(partition.prefixes(), Optional.empty()));
        }

        /** The range after a cursor whose bucket has more labels of the partition. */
        private KeyRange beyond(LabelPartition partition, TimeRange of, Cursor cursor) {
            KeyRange whole = whole(partition, of);
            String last = BucketKey.sortKey(granularity, cursor.start())
                    + cursor.position().substring(place(partition, cursor).length());
            return new KeyRange(descending ? whole.fromKey() : last, descending ? last : whole.toKey(), whole.until(),
                    new ItemFilter(partition.prefixes(), Optional.of(cursor.position())));
        }

        /** The starts beyond a place. Buckets with the same start are ordered by label. */
        private TimeRange beyond(LabelPartition partition, Cursor cursor) {
            int order = Utf8Order.ASCENDING.compare(place(partition, cursor), cursor.position());
            boolean startsHere = isIn(partition, cursor) || (descending ? order < 0 : order > 0);
            Instant next = cursor.start().plusSeconds(1);
            return descending
                    ? new TimeRange(range.from(), startsHere ? next : cursor.start())
                    : new TimeRange(startsHere ? cursor.start() : next, range.to());
        }

        /** Whether a place is that of a label of the partition, so that other labels may follow. */
        private static boolean isIn(LabelPartition partition, Cursor cursor) {
            return cursor.position().startsWith(place(partition, cursor) + KeyCodec.SEPARATOR);
        }

        /** The place at which the partition's labels begin among the buckets with the cursor's start. */
        private static String place(LabelPartition partition, Cursor cursor) {
            List<String> place = new ArrayList<>(List.of(cursor.start().toString()));
            place.addAll(partition.first());
            return KeyCodec.encode(place);
        }

        /**
         * A range of the sort keys of one partition of the table.
         *
         * @param fromKey lowest, inclusive
         * @param toKey highest, inclusive
         * @param until end of the range of bucket starts, exclusive
         * @param items which of the items in it are wanted
         */
        record KeyRange(String fromKey, String toKey, Instant until, ItemFilter items) {

            boolean isEmpty() {
                return Utf8Order.ASCENDING.compare(fromKey, toKey) > 0;
            }

            /** The part of it that lies within other bounds, both inclusive. */
            KeyRange within(String lowest, String highest, Instant end) {
                return new KeyRange(Utf8Order.ASCENDING.compare(fromKey, lowest) > 0 ? fromKey : lowest,
                        Utf8Order.ASCENDING.compare(toKey, highest) < 0 ? toKey : highest, end, items);
            }
        }
    }
}
