package dev.windrow.gather.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.windrow.key.Label;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.time.Granularity;

/**
 * One label's buckets over time.
 *
 * @param scope whose
 * @param label whose series
 * @param buckets the buckets asked for
 * @param source the stored granularity they are read from
 * @param range of bucket starts, aligned to the buckets
 * @param fill what stands in buckets without data
 * @param cumulative whether counts and sums run on
 * @param rate per what counts and sums are told, instead of per bucket
 * @param maxPoints most buckets of the answer
 * @param options how to read
 */
public record SeriesQuery(DatasetScope scope, Label label, ZonedBuckets buckets, Granularity source, TimeRange range, Fill fill,
        boolean cumulative, Optional<Duration> rate, int maxPoints, QueryOptions options) implements RangeQuery {

    /** What stands in buckets without data. */
    public enum Fill {
        NONE,
        ZERO,
        PREVIOUS,
        LINEAR
    }

    private enum Rate {
        SECOND(Duration.ofSeconds(1)),
        MINUTE(Duration.ofMinutes(1)),
        HOUR(Duration.ofHours(1)),
        DAY(Duration.ofDays(1));

        private final Duration unit;

        Rate(Duration unit) {
            this.unit = unit;
        }
    }

    /** Reads the parameters. */
    public static SeriesQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Fill fill = parameters.choice(QueryParameter.FILL, Fill.values(), SeriesQuery::word).orElse(Fill.NONE);
        ZonedBuckets buckets = new ZonedBuckets(granularity(scope, parameters), context.times(parameters).zone());
        TimeRange asked = context.times(parameters).range();
        if (fill != Fill.NONE && asked.to().equals(TimeRange.END)) {
            asked = new TimeRange(asked.from(), TimeRange.later(asked.from(), context.now()));
        }
        TimeRange range = buckets.aligned(asked);
        boolean cumulative = parameters.flag(QueryParameter.CUMULATIVE, false);
        Optional<Duration> rate = parameters.choice(QueryParameter.RATE, Rate.values(), SeriesQuery::word)
                .map(chosen -> chosen.unit);
        if (rate.isPresent() && (cumulative || buckets.granularity().equals(Granularity.FOREVER))) {
            throw Parameters.invalid(QueryParameter.RATE, "expected neither with cumulative nor for forever");
        }
        SeriesQuery query = new SeriesQuery(scope, scope.label(parameters), buckets, source(scope, buckets, range), range,
                fill, cumulative, rate, context.limits().maxPoints(), QueryOptions.of(parameters, context));
        query.requireFewPoints();
        return query;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static Granularity granularity(DatasetScope scope, Parameters parameters) {
        List<Granularity> stored = scope.dataset().granularities();
        Optional<Granularity> any = parameters.parsed(QueryParameter.GRANULARITY, Granularity::parse, Granularity.EXPECTED);
        return any.orElseGet(() -> scope.granularity(parameters, stored, "that are stored"));
    }

    /** The coarsest granularity stored that the buckets can be built from. */
    private static Granularity source(DatasetScope scope, ZonedBuckets buckets, TimeRange range) {
        List<Granularity> stored = scope.dataset().granularities();
        for (int i = stored.size() - 1; i >= 0; i--) {
            if (buckets.canBeBuiltFrom(stored.get(i), range)) {
                return stored.get(i);
            }
        }
        throw Parameters.invalid(QueryParameter.GRANULARITY, "expected one that can be built from those stored ("
                + String.join(", ", stored.stream().map(Granularity::name).toList()) + ") in the zone " + buckets.zone());
    }

    private void requireFewPoints() {
        boolean bounded = !range.from().equals(TimeRange.ALL.from()) && !range.to().equals(TimeRange.END);
        long seconds = bounded ? Duration.between(range.from(), range.to()).toSeconds() : 0;
        if (fill != Fill.NONE && seconds / buckets.granularity().typicalSeconds() > maxPoints) {
            throw tooMany();
        }
    }

    /** The series would have more than {@link #maxPoints} buckets. */
    public InvalidInputException tooMany() {
        return new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.GRANULARITY.word(), "expected at most "
                + maxPoints + " buckets: ask for a shorter range or a coarser granularity");
    }

    /** The reads of the range. */
    public QueryPlan plan() {
        return plan(range, false);
    }

    /** The reads of any range. */
    public QueryPlan plan(TimeRange of, boolean descending) {
        TablePlanner planner = new TablePlanner(scope, label, options.consistent());
        return new QueryPlan(List.of(planner.stage(source, of.alignedTo(source), descending)));
    }

    /** The starts before the range, whose latest value fills the first gap. */
    public TimeRange before() {
        return new TimeRange(TimeRange.ALL.from(), range.from());
    }

    /** The starts after the range, whose earliest value ends the last gap. */
    public TimeRange after() {
        return new TimeRange(range.to(), TimeRange.END);
    }

    /** The starts in one bucket. */
    public TimeRange inBucketOf(Instant time) {
        Instant start = buckets.floor(time);
        return new TimeRange(start, TimeRange.earlier(buckets.end(start), TimeRange.END));
    }
}
