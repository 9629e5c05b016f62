package dev.windrow.gather.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.label.LabelPartition;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.plan.PartitionRanges.KeyRange;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.scatter.WidthRange;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.time.Granularity;

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
                .mapToObj(shard -> new ShardQuery(ReadSource.INDEX, shard, partitions + shard, fromKey, toKey, descending,
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
                    shards.add(
                            new ShardQuery(ReadSource.TABLE, shards.size(), partitionKey(partition, keyShard), keys.fromKey(),
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

}
