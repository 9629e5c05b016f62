package dev.windrow.gather.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Granularity;

/**
 * Plans reads of the selected labels: from the table, if all values of its partition key are given, so that their items are
 * next to each other; else from the index, where those of all labels are read and filtered.
 */
final class SelectionPlanner {

    private final DatasetScope scope;
    private final LabelSelection selection;
    private final QueryOptions options;

    /** @param options consistent only for labels in the table */
    SelectionPlanner(DatasetScope scope, LabelSelection selection, QueryOptions options) {
        this.scope = scope;
        this.selection = selection;
        this.options = options;
    }

    /**
     * The reads of the buckets of one granularity.
     *
     * @param range aligned to the granularity
     * @param after only items beyond this place, in the requested order
     */
    QueryPlan plan(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        QueryPlan plan = selection.isInTable()
                ? new QueryPlan(List.of(new TablePlanner(scope, selection.partitions(), options.consistent())
                        .stage(granularity, range, descending, after)))
                : new IndexPlanner(scope, granularity, selection).plan(range, descending, after);
        return new QueryPlan(plan.stages().stream()
                .map(stage -> options.freshness().mayLag(granularity, stage.until()) ? stage.lagging() : stage).toList());
    }

    /** The reads of everything in a range, in order of time, by the coarsest buckets that tile it and do not lag. */
    QueryPlan tiled(List<Granularity> stored, TimeRange range) {
        return tiled(stored, range, false);
    }

    /**
     * The reads of everything in a range, by the coarsest buckets that tile it and do not lag.
     *
     * @param stored the available granularities, finest first
     */
    QueryPlan tiled(List<Granularity> stored, TimeRange range, boolean descending) {
        List<Tiling> tiles = new ArrayList<>(Tiling.of(stored, range, options.freshness()));
        if (descending) {
            Collections.reverse(tiles);
        }
        return new QueryPlan(tiles.stream()
                .flatMap(tile -> plan(tile.granularity(), tile.range(), descending, Optional.empty()).stages().stream())
                .toList());
    }
}
