package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.dataset.Column;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.PeriodQuery;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SumQuery;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.rank.RankPlan;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.gather.rank.TopCursor;
import dev.windrow.gather.totals.ComparedPeriods;
import dev.windrow.time.Granularity;

/**
 * The groups of labels that come first by a measure over a range, or by its change from another range.
 *
 * @param n number of groups on a page
 * @param after the place where the previous page ended
 * @param period the range, aligned to the finest available granularity
 * @param compared the period with the one that the change is counted from; empty to order by the measure itself
 * @param identity the parts of the request that its cursors are bound to
 */
public record TopQuery(DatasetScope scope, Grouping grouping, Column by, Ranking ranking, int n, Optional<RankPlace> after,
        SumRange period, Optional<ComparedPeriods> compared, LabelSelection selection, QueryOptions options,
        String identity) implements PeriodQuery, SumQuery {

    private static final int DEFAULT_N = 10;

    private static final List<QueryParameter> COMPARES = List.of(QueryParameter.AGAINST, QueryParameter.AGAINST_FROM,
            QueryParameter.AGAINST_TO);

    private static final List<QueryParameter> BOUND = List.of(QueryParameter.FROM, QueryParameter.TO, QueryParameter.LAST,
            QueryParameter.TZ, QueryParameter.LABEL, QueryParameter.LABELS, QueryParameter.PREFIX, QueryParameter.WHERE,
            QueryParameter.GROUP_BY, QueryParameter.LEAST);

    public static TopQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.consistentSelection(parameters);
        List<Granularity> stored = scope.stored(selection);
        Optional<ComparedPeriods> periods = COMPARES.stream().anyMatch(parameters::has)
                ? Optional.of(ComparedPeriods.of(scope, stored, parameters, context))
                : Optional.empty();
        if (periods.isPresent() && parameters.has(QueryParameter.CURSOR)) {
            throw Parameters.invalid(QueryParameter.CURSOR, "cannot be combined with `against`: a list by change has one page");
        }
        Column by = scope.by(parameters);
        Ranking ranking = Ranking.of(parameters);
        String identity = String.join(";", scope.tenant(), scope.named().name(), by.name(), ranking.name(),
                parameters.identity(BOUND));
        Optional<TopCursor> cursor = parameters.text(QueryParameter.CURSOR).map(text -> TopCursor.decoded(text, identity));
        TimeParameters times = context.times(parameters);
        Optional<SummedRange> summed = periods.isPresent() ? Optional.empty()
                : Optional.of(scope.summed(stored, times, context.horizons(scope)))
                        .map(first -> cursor.map(page -> page.summed(first.horizons(), stored))
                                .orElse(first));
        return new TopQuery(scope, Grouping.of(scope, parameters, context), by, ranking, n(parameters, context),
                cursor.map(TopCursor::place), periods.map(ComparedPeriods::period).orElseGet(
                        () -> SumRange.of(summed.orElseThrow(), times)),
                periods, selection, QueryOptions.of(parameters, context,
                        periods.map(ComparedPeriods::horizons).orElseGet(() -> summed.orElseThrow().horizons())),
                identity);
    }

    Optional<SumRange> against() {
        return compared.map(ComparedPeriods::against);
    }

    public static int n(Parameters parameters, QueryContext context) {
        return parameters.integer(QueryParameter.N, 1, context.limits().maxTop(), DEFAULT_N);
    }

    @Override
    public TimeRange latestRange() {
        return compared.map(ComparedPeriods::later).orElseGet(period::whole);
    }

    @Override
    public List<Object> summed() {
        return List.of(period, against());
    }

    @Override
    public Instant earliestStart() {
        return against().map(other -> TimeRange.earlier(other.range().from(), range().from())).orElse(range().from());
    }

    @Override
    public List<QueryPlan> plans() {
        return Stream.concat(Stream.of(period), against().stream()).map(this::plan).toList();
    }

    /** Returns the reads of one of the ranges: the coarsest available buckets that tile it, finer ones at its edges. */
    public QueryPlan plan(SumRange of) {
        return new Planner(scope, selection, options).tiled(scope.stored(selection), of);
    }

    /** Returns the cursor of a page that ended with this group, for a list by the measure itself. */
    public String next(GroupSum last) {
        BigDecimal number = Objects.requireNonNull(last.values().total(by), "listed groups have a number");
        return new TopCursor(new RankPlace(number, last.label()), range()).encoded(identity);
    }

    /**
     * Whether groups found in a leaderboard are the first ones of all. It lacks those without a value, which come where zero
     * does.
     */
    boolean isSureOf(List<GroupSum> groups) {
        return by.isRatio() || !scope.dataset().measures().get(by.of()).mayBeAbsent()
                || (groups.size() > n && groups.stream().allMatch(group -> {
                    int sign = Objects.requireNonNull(group.values().total(by), "listed groups have a number").signum();
                    return ranking == Ranking.DESC ? sign > 0 : sign < 0;
                }));
    }

    /** Returns the leaderboard that has the list in this order; empty if none is kept. */
    public Optional<RankPlan> rank() {
        boolean whole = grouping.isWhole() && grouping.least().isEmpty();
        boolean firstValuesOnly = selection.equals(scope.selection(selection.values()));
        return compared.isEmpty() && !options.consistent() && ranking != Ranking.MAGNITUDE && whole && firstValuesOnly
                ? RankPlan.of(scope, scope.stored(selection), by, period, selection.values(), options.horizons())
                : Optional.empty();
    }

}
