package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.time.Granularity;

/**
 * Plans reads of the selected labels: whole labels from the table, where the items of each are next to each other; any
 * others from the index, where those of all labels are read and filtered.
 */
final class SelectionPlanner {

    private final DatasetScope scope;
    private final LabelSelection selection;
    private final boolean consistent;

    SelectionPlanner(DatasetScope scope, LabelSelection selection) {
        this(scope, selection, false);
    }

    /** @param consistent whether all writes answered before must be seen; whole labels only */
    SelectionPlanner(DatasetScope scope, LabelSelection selection, boolean consistent) {
        this.consistent = consistent;
        this.scope = scope;
        this.selection = selection;
    }

    /**
     * The reads of the buckets of one granularity.
     *
     * @param range aligned to the granularity
     * @param after only items beyond this place, in the requested order
     */
    QueryPlan plan(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        return selection.whole().isEmpty()
                ? new IndexPlanner(scope, granularity, selection.keyPrefixes()).plan(range, descending, after)
                : new QueryPlan(List.of(new TablePlanner(scope, selection.whole(), consistent)
                        .stage(granularity, range, descending, after)));
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
}
