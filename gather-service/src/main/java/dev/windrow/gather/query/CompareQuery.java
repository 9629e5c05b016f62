package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;

/**
 * One period against another.
 *
 * @param scope whose
 * @param selection the labels compared, together
 * @param periods the periods
 * @param options how to read
 */
public record CompareQuery(DatasetScope scope, LabelSelection selection, ComparedPeriods periods, QueryOptions options)
        implements
            SumQuery {

    /** Reads the parameters. */
    public static CompareQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.selection(parameters);
        return new CompareQuery(scope, selection,
                ComparedPeriods.of(scope, scope.stored(selection), parameters, context),
                QueryOptions.of(parameters, context));
    }

    @Override
    public List<Object> summed() {
        return List.of(periods);
    }

    @Override
    public Instant earliestStart() {
        return TimeRange.earlier(periods.period().from(), periods.against().from());
    }

    @Override
    public List<QueryPlan> plans() {
        return List.of(plan(periods.period()), plan(periods.against()));
    }

    /** The reads of one of the periods. */
    public QueryPlan plan(TimeRange range) {
        return new SelectionPlanner(scope, selection, options).tiled(scope.stored(selection), range);
    }
}
