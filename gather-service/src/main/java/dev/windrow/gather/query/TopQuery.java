package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.measure.Measure;
import dev.windrow.time.Granularity;

/**
 * The groups of labels that come first by a measure over a range, or by its change from another range.
 *
 * @param scope whose
 * @param grouping how labels are grouped
 * @param by the measure to order by
 * @param ranking the order
 * @param n how many
 * @param range aligned to the finest granularity at hand
 * @param against the range that the change is counted from, aligned likewise; empty to order by the measure itself
 * @param selection which labels
 * @param options how to read
 */
public record TopQuery(DatasetScope scope, Grouping grouping, Measure by, Ranking ranking, int n, TimeRange range,
        Optional<TimeRange> against, LabelSelection selection, QueryOptions options)
        implements
            RangeQuery,
            SumQuery {

    private static final int DEFAULT_N = 10;

    private static final List<QueryParameter> COMPARES = List.of(QueryParameter.AGAINST, QueryParameter.AGAINST_FROM,
            QueryParameter.AGAINST_TO);

    /** Reads the parameters. */
    public static TopQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.consistentSelection(parameters);
        List<Granularity> stored = scope.stored(selection);
        Optional<ComparedPeriods> periods = COMPARES.stream().anyMatch(parameters::has)
                ? Optional.of(ComparedPeriods.of(scope, stored, parameters, context))
                : Optional.empty();
        TimeRange range = periods.map(ComparedPeriods::period)
                .orElseGet(() -> Tiling.aligned(scope, stored, context.times(parameters).range(), parameters));
        return new TopQuery(scope, Grouping.of(scope, parameters, context), scope.by(parameters), Ranking.of(parameters),
                n(parameters, context), range, periods.map(ComparedPeriods::against), selection,
                QueryOptions.of(parameters, context));
    }

    static int n(Parameters parameters, QueryContext context) {
        return parameters.integer(QueryParameter.N, 1, context.limits().maxTop(), DEFAULT_N);
    }

    @Override
    public TimeRange latestRange() {
        return against.filter(other -> other.to().isAfter(range.to())).orElse(range);
    }

    @Override
    public List<Object> summed() {
        return List.of(range, against);
    }

    @Override
    public Instant earliestStart() {
        return against.map(other -> TimeRange.earlier(other.from(), range.from())).orElse(range.from());
    }

    @Override
    public List<QueryPlan> plans() {
        return Stream.concat(Stream.of(range), against.stream()).map(this::plan).toList();
    }

    /** The reads of one of the ranges: the coarsest buckets at hand that tile it, finer ones at its edges. */
    public QueryPlan plan(TimeRange of) {
        return new SelectionPlanner(scope, selection, options).tiled(scope.stored(selection), of);
    }
}
