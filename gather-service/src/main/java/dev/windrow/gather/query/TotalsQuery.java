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
public record TotalsQuery(Scope scope, Label label, TimeRange range, ReadOptions options) {

    /** Reads the parameters. */
    public static TotalsQuery of(Scope scope, Parameters parameters, QueryContext context) {
        TimeRange asked = context.times(parameters).range();
        return new TotalsQuery(scope, scope.label(parameters),
                Tiling.aligned(scope, scope.dataset().granularities(), asked, parameters),
                ReadOptions.of(parameters, context));
    }

    /** The reads: the coarsest buckets that tile the range, finer ones at its edges. */
    public Plan plan() {
        return plan(scope, label, range, options);
    }

    static Plan plan(Scope scope, Label label, TimeRange range, ReadOptions options) {
        TablePlanner planner = new TablePlanner(scope, label, options.consistent());
        List<Tiling> tiles = Tiling.of(scope.dataset().granularities(), range);
        return new Plan(tiles.stream().map(tile -> planner.stage(tile.granularity(), tile.range(), false)).toList());
    }
}
