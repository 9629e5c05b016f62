package dev.windrow.gather.totals;

import java.time.Instant;
import java.util.List;

import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.LabelSelection;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.PeriodQuery;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryContext.RangeSum;
import dev.windrow.gather.plan.QueryContext.SumQuery;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SumRange;
import dev.windrow.gather.plan.SummedRange;
import dev.windrow.gather.plan.TimeParameters;
import dev.windrow.gather.plan.TimeRange;

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

    /**
     * Compares one period with another.
     *
     * @param selection the labels compared, together
     */
    record CompareQuery(DatasetScope scope, LabelSelection selection, ComparedPeriods periods,
            QueryOptions options) implements SumQuery {

        public static CompareQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
            LabelSelection selection = scope.selection(parameters);
            ComparedPeriods periods = ComparedPeriods.of(scope, scope.stored(selection), parameters, context);
            return new CompareQuery(scope, selection, periods, QueryOptions.of(parameters, context, periods.horizons()));
        }

        @Override
        public List<Object> summed() {
            return List.of(periods.period(), periods.against());
        }

        @Override
        public Instant earliestStart() {
            return TimeRange.earlier(periods.period().range().from(), periods.against().range().from());
        }

        @Override
        public List<QueryPlan> plans() {
            return List.of(plan(periods.period()), plan(periods.against()));
        }

        public QueryPlan plan(SumRange range) {
            return new Planner(scope, selection, options).tiled(scope.stored(selection), range);
        }
    }
}
