package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.windrow.time.Granularity;

/**
 * Plans reads of the selected labels: one whole label from the table, where its items are next to each other; any others
 * from the index, where those of all labels are read and filtered.
 */
final class SelectionPlanner {

    private final DatasetScope scope;
    private final LabelSelection selection;
    private final boolean consistent;

    SelectionPlanner(DatasetScope scope, LabelSelection selection) {
        this(scope, selection, false);
    }

    /** @param consistent whether all writes answered before must be seen; one whole label only */
    SelectionPlanner(DatasetScope scope, LabelSelection selection, boolean consistent) {
        this.consistent = consistent;
        this.scope = scope;
        this.selection = selection;
    }

    /**
     * The reads of the buckets of one granularity.
     *
     * @param range aligned to the granularity
     * @param after only items beyond this place, in the order asked for
     */
    QueryPlan plan(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        return selection.whole()
                .map(label -> new QueryPlan(List.of(new TablePlanner(scope, label, consistent)
                        .stage(granularity, beyond(range, descending, after), descending))))
                .orElseGet(() -> new IndexPlanner(scope, granularity, selection.keyPrefix()).plan(range, descending, after));
    }

    /**
     * The reads of everything in a range, by the coarsest buckets that tile it.
     *
     * @param stored the granularities at hand, finest first
     */
    QueryPlan tiled(List<Granularity> stored, TimeRange range) {
        return new QueryPlan(Tiling.of(stored, range).stream()
                .flatMap(tile -> plan(tile.granularity(), tile.range(), false, Optional.empty()).stages().stream())
                .toList());
    }

    /** One label has one bucket of a start, so what is beyond a bucket starts later, or earlier if descending. */
    private static TimeRange beyond(TimeRange range, boolean descending, Optional<Cursor> after) {
        Optional<Instant> start = after.map(Cursor::start);
        return descending
                ? new TimeRange(range.from(), start.orElse(range.to()))
                : new TimeRange(start.map(last -> last.plusSeconds(1)).orElse(range.from()), range.to());
    }
}
