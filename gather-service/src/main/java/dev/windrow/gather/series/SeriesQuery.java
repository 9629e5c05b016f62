package dev.windrow.gather.series;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.parameter.SortOrder;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.PeriodQuery;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SumQuery;
import dev.windrow.gather.plan.Tiling;
import dev.windrow.gather.plan.ZonedSources;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.range.ZonedBuckets;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;

/**
 * Buckets of the selected labels, all together, over time.
 *
 * @param source the coarsest stored granularity that the buckets are summed up from; finer ones fill the ends
 * @param period the range: the first and the last bucket may lie only partly in it
 * @param open whether the request has no start, so that gaps are filled from the first bucket on
 * @param fill values of buckets without data
 * @param cumulative whether counts and sums are cumulative
 * @param rate the time unit that counts and sums are given per, instead of per bucket
 * @param limit maximum number of buckets of the answer, if the request has one
 * @param groups the groups of labels with series of their own; empty for one series of all labels
 * @param maxPoints maximum number of buckets of a series
 */
public record SeriesQuery(DatasetScope scope, LabelSelection selection, ZonedBuckets buckets, Granularity source,
        SumRange period, boolean open, Fill fill, boolean cumulative, Optional<Duration> rate, boolean descending,
        OptionalInt limit,
        Optional<SeriesGroups> groups, int maxPoints, QueryOptions options) implements PeriodQuery, SumQuery {

    /** Values of buckets without data. */
    public enum Fill {
        NONE,
        ZERO,
        PREVIOUS,
        LINEAR
    }

    public enum Rate {
        SECOND(Duration.ofSeconds(1)),
        MINUTE(Duration.ofMinutes(1)),
        HOUR(Duration.ofHours(1)),
        DAY(Duration.ofDays(1));

        private final Duration unit;

        Rate(Duration unit) {
            this.unit = unit;
        }
    }

    public static SeriesQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Fill fill = parameters.choice(QueryParameter.FILL, Fill.values()).orElse(Fill.NONE);
        LabelSelection selection = scope.consistentSelection(parameters);
        List<Granularity> stored = scope.stored(selection);
        TimeParameters times = context.times(parameters);
        ZonedBuckets buckets = new ZonedBuckets(granularity(scope, parameters, stored), times.zone());
        TimeRange asked = times.range();
        TimeRange requested = fill != Fill.NONE && asked.to().equals(TimeRange.END)
                ? new TimeRange(asked.from(), TimeRange.later(asked.from(), buckets.ceiling(context.now())))
                : asked;
        boolean cumulative = parameters.flag(QueryParameter.CUMULATIVE, false);
        Optional<Duration> rate = parameters.choice(QueryParameter.RATE, Rate.values()).map(chosen -> chosen.unit);
        if (rate.isPresent() && (cumulative || buckets.granularity().equals(Granularity.FOREVER))) {
            throw Parameters.invalid(QueryParameter.RATE, "cannot be combined with `cumulative=true` or `granularity=forever`");
        }
        Horizons horizons = context.horizons(scope);
        Granularity source = new ZonedSources(buckets, stored, horizons).of(buckets.read(buckets.around(requested)));
        SummedRange summed = scope.summed(stored.stream().filter(finer -> finer.nestsIn(source)).toList(), requested,
                buckets.zoneOfMidnights(), times, horizons);
        SeriesQuery query = new SeriesQuery(scope, selection, buckets, source, buckets.summed(summed, times),
                requested.from().equals(TimeRange.ALL.from()), fill, cumulative, rate,
                SortOrder.of(parameters, SortOrder.ASC) == SortOrder.DESC, limit(parameters, context.limits().maxPoints()),
                SeriesGroups.of(scope, parameters, context), context.limits().maxPoints(),
                QueryOptions.of(parameters, context, summed.horizons()));
        query.beyond().forEach(side -> query.sources().requireSearchable(side.range(), side.latestFirst()));
        query.requireFewPoints();
        return query;
    }

    private static OptionalInt limit(Parameters parameters, int maxPoints) {
        return parameters.text(QueryParameter.LIMIT).isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(parameters.integer(QueryParameter.LIMIT, 1, maxPoints, maxPoints));
    }

    private static Granularity granularity(DatasetScope scope, Parameters parameters, List<Granularity> stored) {
        Optional<Granularity> any = parameters.parsed(QueryParameter.GRANULARITY, Granularity::parse, Granularity.EXPECTED);
        return any.orElseGet(() -> scope.granularity(parameters, stored, "that can answer"));
    }

    private ZonedSources sources() {
        return new ZonedSources(buckets, scope.stored(selection), options.horizons());
    }

    private void requireFewPoints() {
        long seconds = open || range().to().equals(TimeRange.END) ? 0
                : Duration.between(range().from(), range().to()).toSeconds();
        if (fill != Fill.NONE && seconds / buckets.granularity().typicalSeconds() > maxPoints) {
            throw tooMany();
        }
    }

    /** Returns the error of a series with more than {@link #maxPoints} buckets. */
    public InvalidInputException tooMany() {
        return new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.GRANULARITY.word(), "expected at most "
                + maxPoints + " buckets: use a shorter range or a coarser granularity");
    }

    /** Returns the reads of the range; from one bound to the other, with what does not belong to it in between. */
    public QueryPlan plan() {
        return new Planner(scope, selection, options).tiled(finer(source), period.whole(), isCutShort() && descending);
    }

    private List<Granularity> finer(Granularity than) {
        return scope.stored(selection).stream().filter(stored -> stored.nestsIn(than)).toList();
    }

    /** Whether a bucket reaches over a bound of the range. */
    boolean isPartial(Instant start) {
        return (!open && start.isBefore(range().from())) || inBucketOf(start).to().isAfter(period.whole().to());
    }

    /** How much of a bucket lies in the range. */
    Duration length(Instant start) {
        return Duration.between(open ? start : TimeRange.later(start, range().from()),
                TimeRange.earlier(buckets.end(start), range().to()));
    }

    /** Whether reading may stop at the limit, because no bucket depends on later ones. */
    boolean isCutShort() {
        return limit.isPresent() && groups.isEmpty() && fill == Fill.NONE && !cumulative;
    }

    /**
     * The starts on one side of the range. The nearest values there fill the gaps at that end.
     *
     * @param latestFirst whether to search backward in time, for the bucket just before the range
     */
    record Beyond(TimeRange range, boolean latestFirst) {
    }

    /** Returns where gaps are filled from: the latest value before the range, and for lines also the earliest one after it. */
    List<Beyond> beyond() {
        TimeRange around = buckets.around(range());
        Beyond before = new Beyond(new TimeRange(TimeRange.ALL.from(), around.from()), true);
        return switch (fill) {
            case NONE, ZERO -> List.of();
            case PREVIOUS -> List.of(before);
            case LINEAR -> List.of(before, new Beyond(new TimeRange(around.to(), TimeRange.END), false));
        };
    }

    /**
     * Returns the reads of a range beyond this one, or of one bucket there. Parts use the coarsest granularity that fits.
     *
     * @param latestFirst the order of the parts, and of the reads of each
     */
    public QueryPlan plan(TimeRange beyond, boolean latestFirst) {
        return new QueryPlan(sources().search(beyond, latestFirst).stream()
                .flatMap(part -> plan(part, latestFirst).stages().stream()).toList());
    }

    /** Returns the reads of a part; of finer buckets where those of its granularity lag. */
    private QueryPlan plan(Tiling part, boolean latestFirst) {
        return new Planner(scope, selection, options).tiled(finer(part.granularity()),
                part.range().alignedTo(part.granularity()), latestFirst);
    }

    @Override
    public List<QueryPlan> plans() {
        List<QueryPlan> plans = new ArrayList<>(groups.isEmpty() ? List.of(plan()) : List.of(plan(), sumsPlan()));
        beyond().forEach(side -> plans.add(plan(side.range(), side.latestFirst())));
        return plans;
    }

    /** Returns the reads for the sums of the range, from any buckets that tile it. */
    QueryPlan sumsPlan() {
        List<Granularity> tiles = scope.stored(selection).stream()
                .filter(stored -> stored.nestsIn(source) || source.nestsIn(stored)).toList();
        return new Planner(scope, selection, options).tiled(tiles, period);
    }

    /** Returns the query for each of several series, which share the limit of points. */
    public SeriesQuery oneOf(int series) {
        SeriesQuery one = with(selection, maxPoints / Math.max(1, series));
        one.requireFewPoints();
        return one;
    }

    /** Returns the query for one group of the selected labels. */
    public SeriesQuery of(Label group) {
        return with(scope.selection(group.values()), maxPoints);
    }

    private SeriesQuery with(LabelSelection labels, int points) {
        return new SeriesQuery(scope, labels, buckets, source, period, open, fill, cumulative, rate, descending, limit, groups,
                points, options);
    }

    @Override
    public List<Object> summed() {
        // Buckets of a roll-up may be too coarse for a search to reach as far.
        return List.of(period, buckets,
                beyond().stream().map(side -> sources().reach(side.range(), side.latestFirst())).toList());
    }

    /** Gaps may be filled from any bucket before the range. */
    @Override
    public Instant earliestStart() {
        return beyond().isEmpty() ? range().from() : TimeRange.ALL.from();
    }

    /** A line to the first bucket after the range changes with that bucket, whenever it is written. */
    @Override
    public TimeRange latestRange() {
        return fill == Fill.LINEAR ? new TimeRange(range().from(), TimeRange.END) : period.whole();
    }

    TimeRange inBucketOf(Instant time) {
        Instant start = buckets.floor(time);
        return new TimeRange(start, TimeRange.earlier(buckets.end(start), TimeRange.END));
    }

}
