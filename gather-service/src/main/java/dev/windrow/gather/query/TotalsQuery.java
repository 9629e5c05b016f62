package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.key.Label;

/**
 * One label's totals over a range.
 *
 * @param scope whose
 * @param label whose totals
 * @param range aligned to the finest granularity stored
 * @param options how to read
 */
public record TotalsQuery(DatasetScope scope, Label label, TimeRange range, QueryOptions options) implements RangeQuery {

    /** Reads the parameters. */
    public static TotalsQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        TimeRange asked = context.times(parameters).range();
        return new TotalsQuery(scope, scope.label(parameters),
                Tiling.aligned(scope, scope.dataset().granularities(), asked, parameters),
                QueryOptions.of(parameters, context));
    }

    /** The reads: the coarsest buckets that tile the range, finer ones at its edges. */
    public QueryPlan plan() {
        return plan(scope, label, range, options);
    }

    static QueryPlan plan(DatasetScope scope, Label label, TimeRange range, QueryOptions options) {
        TablePlanner planner = new TablePlanner(scope, label, options.consistent());
        List<Tiling> tiles = Tiling.of(scope.dataset().granularities(), range);
        return new QueryPlan(tiles.stream().map(tile -> planner.stage(tile.granularity(), tile.range(), false)).toList());
    }
}
