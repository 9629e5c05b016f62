package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.query.RankOrder.Place;

/**
 * The groups of labels that come first by a measure over a range, or by its change from another range.
 *
 * @param scope whose
 * @param grouping how labels are grouped
 * @param by the measure to order by
 * @param ranking the order
 * @param n how many, of one page
 * @param after where the page before ended
 * @param range aligned to the finest available granularity
 * @param against the range that the change is counted from, aligned likewise; empty to order by the measure itself
 * @param selection which labels
 * @param options how to read
 * @param identity what the query's cursors are bound to
 */
public record TopQuery(DatasetScope scope, Grouping grouping, Measure by, Ranking ranking, int n, Optional<Place> after,
        TimeRange range, Optional<TimeRange> against, LabelSelection selection, QueryOptions options, String identity)
        implements
            RangeQuery,
            SumQuery {

    private static final int DEFAULT_N = 10;

    private static final List<QueryParameter> COMPARES = List.of(QueryParameter.AGAINST, QueryParameter.AGAINST_FROM,
            QueryParameter.AGAINST_TO);

    private static final List<QueryParameter> BOUND = List.of(QueryParameter.FROM, QueryParameter.TO, QueryParameter.LAST,
            QueryParameter.LABEL, QueryParameter.LABELS, QueryParameter.PREFIX, QueryParameter.GROUP_BY, QueryParameter.LEAST);

    /** Reads the parameters. */
    public static TopQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.consistentSelection(parameters);
        List<Granularity> stored = scope.stored(selection);
        Optional<ComparedPeriods> periods = COMPARES.stream().anyMatch(parameters::has)
                ? Optional.of(ComparedPeriods.of(scope, stored, parameters, context))
                : Optional.empty();
        if (periods.isPresent() && parameters.has(QueryParameter.CURSOR)) {
            throw Parameters.invalid(QueryParameter.CURSOR, "expected none, as lists by change have one page");
        }
        Measure by = scope.by(parameters);
        Ranking ranking = Ranking.of(parameters);
        String identity = String.join(";", scope.tenant(), scope.named().name(), by.name(), ranking.name(),
                parameters.identity(BOUND));
        Optional<TopCursor> cursor = parameters.text(QueryParameter.CURSOR).map(text -> TopCursor.decoded(text, identity));
        TimeRange range = periods.map(ComparedPeriods::period)
                .or(() -> cursor
                        .map(page -> page.alignedRange(requested -> Tiling.aligned(scope, stored, requested, parameters))))
                .orElseGet(() -> Tiling.aligned(scope, stored, context.times(parameters).range(), parameters));
        return new TopQuery(scope, Grouping.of(scope, parameters, context), by, ranking, n(parameters, context),
                cursor.map(TopCursor::place), range, periods.map(ComparedPeriods::against), selection,
                QueryOptions.of(parameters, context), identity);
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

    /** The reads of one of the ranges: the coarsest available buckets that tile it, finer ones at its edges. */
    public QueryPlan plan(TimeRange of) {
        return new SelectionPlanner(scope, selection, options).tiled(scope.stored(selection), of);
    }

    /** The cursor of a page that ended there. */
    public String next(Place last) {
        return new TopCursor(last, range).encoded(identity);
    }

    /** The leaderboard that has the list in its order; empty if none is kept. */
    public Optional<RankPlan> rank() {
        boolean whole = grouping.values() == scope.dataset().label().size() && grouping.least().isEmpty();
        boolean firstValuesOnly = selection.equals(scope.selection(selection.values()));
        return against.isEmpty() && !options.consistent() && ranking != Ranking.MAGNITUDE && whole && firstValuesOnly
                ? RankPlan.of(scope, scope.stored(selection), by, range, selection.values())
                : Optional.empty();
    }
}
