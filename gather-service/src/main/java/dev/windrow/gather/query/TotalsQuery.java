package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.key.Label;
import dev.windrow.time.Granularity;

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
        Granularity finest = scope.dataset().granularities().get(0);
        TimeRange asked = context.times(parameters).range();
        if (finest.equals(Granularity.FOREVER) && !asked.equals(TimeRange.ALL)) {
            throw Parameters.invalid(parameters.firstOf(QueryParameter.LAST, QueryParameter.FROM, QueryParameter.TO),
                    "expected no range, as dataset " + scope.dataset().name() + " keeps only totals of all time");
        }
        return new TotalsQuery(scope, scope.label(parameters), asked.alignedTo(finest), ReadOptions.of(parameters, context));
    }

    /** The reads: the coarsest buckets that tile the range, finer ones at its edges. */
    public Plan plan() {
        TablePlanner planner = new TablePlanner(scope, label, false);
        List<Tiling> tiles = Tiling.of(scope.dataset().granularities(), range);
        return new Plan(tiles.stream().map(tile -> planner.stage(tile.granularity(), tile.range(), false)).toList());
    }
}
