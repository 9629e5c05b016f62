package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;

/**
 * Totals of the selected labels, all together, over a range.
 *
 * @param scope whose
 * @param selection which labels
 * @param range aligned to the finest available granularity
 * @param options how to read
 */
public record TotalsQuery(DatasetScope scope, LabelSelection selection, TimeRange range,
        QueryOptions options) implements RangeQuery, SumQuery {

    /** Reads the parameters. */
    public static TotalsQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.consistentSelection(parameters);
        TimeRange requested = context.times(parameters).range();
        return new TotalsQuery(scope, selection, Tiling.aligned(scope, scope.stored(selection), requested, parameters),
                QueryOptions.of(parameters, context));
    }

    @Override
    public List<Object> summed() {
        return List.of(range);
    }

    @Override
    public Instant earliestStart() {
        return range.from();
    }

    @Override
    public List<QueryPlan> plans() {
        return List.of(plan());
    }

    /** The reads: the coarsest buckets that tile the range, finer ones at its edges. */
    public QueryPlan plan() {
        return new SelectionPlanner(scope, selection, options).tiled(scope.stored(selection), range);
    }
}
