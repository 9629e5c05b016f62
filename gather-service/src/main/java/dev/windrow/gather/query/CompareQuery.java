package dev.windrow.gather.query;

/**
 * One period against another.
 *
 * @param scope whose
 * @param selection the labels compared, together
 * @param periods the periods
 * @param options how to read
 */
public record CompareQuery(DatasetScope scope, LabelSelection selection, ComparedPeriods periods, QueryOptions options) {

    /** Reads the parameters. */
    public static CompareQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.selection(parameters);
        return new CompareQuery(scope, selection,
                ComparedPeriods.of(scope, scope.stored(selection), parameters, context),
                QueryOptions.of(parameters, context));
    }

    /** The reads of one of the periods. */
    public QueryPlan plan(TimeRange range) {
        return new SelectionPlanner(scope, selection).tiled(scope.stored(selection), range);
    }
}
