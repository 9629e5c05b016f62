package dev.windrow.gather.prometheus;

import java.util.List;
import java.util.Optional;

import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RangeSum;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.Granularity;

/**
 * The read of one range. A roll-up may answer it, because windows add up.
 *
 * @param range aligned to the finest granularity that is read
 * @param buckets the coarsest buckets that no bound of a window divides; absent if none divides the range
 */
record RangeRead(DatasetScope scope, LabelSelection selection, TimeRange range, Optional<Granularity> buckets,
        QueryOptions options) implements RangeSum {

    /** Returns the reads: the coarsest buckets that tile the range, finer ones at its edges and where coarse ones lag. */
    @Override
    public QueryPlan plan() {
        Planner planner = new Planner(scope, selection, options);
        List<Granularity> stored = scope.stored(selection);
        return buckets.map(coarsest -> planner.tiled(
                stored.stream().filter(finer -> finer.nestsIn(coarsest)).toList(), range.alignedTo(coarsest), false))
                .orElseGet(() -> planner.tiled(stored, range, false));
    }

    @Override
    public List<Object> summed() {
        return List.of(range, buckets);
    }
}
