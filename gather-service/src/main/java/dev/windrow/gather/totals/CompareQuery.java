package dev.windrow.gather.totals;

import java.time.Instant;
import java.util.List;

import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SumQuery;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.TimeRange;

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
