package dev.windrow.gather.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Scatter.WidthRange;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.table.BucketKey;

/**
 * Plans reads of the scattered index: for each part of a range of starts, just the shards
 * that may hold its items.
 * <p>
 * Bounds of sort keys are made so that inclusive bounds are enough: no key equals its bound. A key goes on after its
 * start with the separator, so all keys of a start sort after the start alone, and before the start with a {@code $},
 * the character after the separator.
 */
public final class IndexPlanner {

    private static final char AFTER_SEPARATOR = KeyCodec.SEPARATOR + 1;

    private final DatasetScope scope;
    private final Granularity granularity;
    private final LabelSelection selection;

    public IndexPlanner(DatasetScope scope, Granularity granularity, LabelSelection selection) {
        this.scope = scope;
        this.granularity = granularity;
        this.selection = selection;
    }

    /**
     * The reads of a range.
     *
     * @param range aligned to the granularity
     * @param after only items beyond this place, in the requested order
     */
    public QueryPlan plan(TimeRange range, boolean descending, Optional<Cursor> after) {
        TimeRange left = after.map(cursor -> descending
                ? new TimeRange(range.from(), cursor.start().plusSeconds(1))
                : new TimeRange(cursor.start(), range.to())).orElse(range);
        List<QueryPlan.Stage> stages = new ArrayList<>();
        for (WidthRange part : scope.dataset().scatter().rangesIn(left.from(), left.to(), granularity)) {
            stages.add(stage(part, left, descending, after));
        }
        if (descending) {
            Collections.reverse(stages);
        }
        return new QueryPlan(stages);
    }

    private QueryPlan.Stage stage(WidthRange part, TimeRange left, boolean descending, Optional<Cursor> after) {
        boolean firstInOrder = descending ? part.to().equals(left.to()) : part.from().equals(left.from());
        String fromKey = after.filter(cursor -> firstInOrder && !descending)
                .map(cursor -> cursor.position() + AFTER_SEPARATOR)
                .orElseGet(() -> part.from().toString());
        String toKey = after.filter(cursor -> firstInOrder && descending)
                .map(cursor -> cursor.position() + KeyCodec.SEPARATOR)
                .orElseGet(() -> lastSecond(part.to()).toString() + AFTER_SEPARATOR);
        String partitions = BucketKey.indexPartitionKeyPrefix(scope.tenant(), scope.dataset().name(), granularity);
        ItemFilter filter = new ItemFilter(selection.labelPrefixes(), Optional.empty());
        return new QueryPlan.Stage(granularity, IntStream.range(0, part.width())
                .mapToObj(shard -> new ShardQuery(Source.INDEX, shard, partitions + shard, fromKey, toKey, descending,
                        false, part.to(), selection.keyPrefixes(), filter))
                .toList());
    }

    /** Starts are whole seconds, so those before an instant are those up to the second before. */
    private static Instant lastSecond(Instant exclusive) {
        return exclusive.minusSeconds(1);
    }
}
