package dev.windrow.gather.totals;

import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.PeriodQuery;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RangeSum;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;

/**
 * Totals of the selected labels, all together, over a range.
 *
 * @param period the range, aligned to the finest available granularity
 */
public record TotalsQuery(DatasetScope scope, LabelSelection selection, SumRange period,
        QueryOptions options) implements PeriodQuery, RangeSum {

    public static TotalsQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.consistentSelection(parameters);
        TimeParameters times = context.times(parameters);
        SummedRange summed = scope.summed(scope.stored(selection), times, context.horizons(scope));
        return new TotalsQuery(scope, selection, SumRange.of(summed, times), QueryOptions.of(parameters, context,
                summed.horizons()));
    }

    /** Returns the reads: the coarsest buckets that tile the range, finer ones at its edges. */
    @Override
    public QueryPlan plan() {
        return new Planner(scope, selection, options).tiled(scope.stored(selection), period);
    }

}
