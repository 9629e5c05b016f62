package dev.windrow.gather.query;

import dev.windrow.measure.Measure;

/**
 * The labels with the most of a measure in a range.
 *
 * @param scope whose
 * @param by the measure
 * @param n how many
 * @param range aligned to the finest granularity indexed
 * @param selection which labels
 * @param maxLabels most labels that are summed up to pick from; each is held in memory
 * @param options how to read
 */
public record TopQuery(DatasetScope scope, Measure by, int n, TimeRange range, LabelSelection selection, int maxLabels,
        QueryOptions options) implements RangeQuery {

    private static final int DEFAULT_N = 10;

    /** Reads the parameters. */
    public static TopQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        TimeRange range = Tiling.aligned(scope, scope.indexed(), context.times(parameters).range(), parameters);
        return new TopQuery(scope, scope.by(parameters), n(parameters, context), range, scope.selection(parameters),
                context.limits().maxLabels(), QueryOptions.of(parameters, context));
    }

    static int n(Parameters parameters, QueryContext context) {
        return parameters.integer(QueryParameter.N, 1, context.limits().maxTop(), DEFAULT_N);
    }

    /** The reads: the coarsest indexed buckets that tile the range, finer ones at its edges. */
    public QueryPlan plan() {
        return new SelectionPlanner(scope, selection).tiled(range);
    }
}
