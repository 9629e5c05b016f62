package dev.windrow.gather.totals;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;

/**
 * A period and the one it is compared with. Both are made of buckets of one granularity, so that a bound within a bucket moves
 * in both alike: it is the finest in which both exist.
 *
 * @param period the part of the requested period that is compared
 * @param against the part of the other one
 * @param comparable false if so much of the other period has expired that a change would say nothing
 * @param horizons with the reasons if the periods are not the requested ones
 */
public record ComparedPeriods(SumRange period, SumRange against, boolean comparable, Horizons horizons) {

    public enum Against {
        PREVIOUS,
        DAY,
        WEEK,
        MONTH,
        YEAR
    }

    public static ComparedPeriods of(DatasetScope scope, List<Granularity> stored, Parameters parameters,
            QueryContext context) {
        if (parameters.text(QueryParameter.FROM).isEmpty() && parameters.text(QueryParameter.LAST).isEmpty()) {
            throw Parameters.missing(QueryParameter.FROM, "needs a period with a start: give from and to, or last");
        }
        TimeParameters times = context.times(parameters);
        Horizons horizons = context.horizons(scope);
        TimeRange requested = times.range();
        TimeRange closed = new TimeRange(requested.from(), requested.to().equals(TimeRange.END)
                ? TimeRange.later(context.now(), requested.from())
                : requested.to());
        // Says why the period alone cannot be summed.
        SummedRange alone = scope.summed(stored, closed, times.zone(), times, horizons);
        Against named = parameters.choice(QueryParameter.AGAINST, Against.values()).orElse(Against.PREVIOUS);
        Comparison comparison = new Comparison(stored, closed, given(parameters, times), named, times);
        Optional<Pair> all = comparison.in(Horizons.NONE);
        Optional<Pair> kept = comparison.in(horizons);
        if (kept.isPresent()) {
            return comparison.periods(kept.get(), true, noting(comparison, kept.get(), all, horizons));
        }
        Pair lost = all.orElseThrow(() -> comparison.incomparable());
        Pair rest = new Pair(lost.granularity(), alone.range(),
                SummedRange.largest(stored, lost.against(), times, horizons).orElse(new TimeRange(lost.against().to(),
                        lost.against().to())));
        Horizons noted = alone.horizons().expired().isEmpty() ? alone.horizons().noting(stored.get(0)) : alone.horizons();
        return comparison.periods(rest, false, noted);
    }

    private static Horizons noting(Comparison comparison, Pair kept, Optional<Pair> all, Horizons horizons) {
        if (!all.equals(Optional.of(kept))) {
            return horizons.noting(comparison.stored().get(Math.max(0, comparison.stored().indexOf(kept.granularity()) - 1)));
        }
        boolean rounded = SummedRange.isRounded(comparison.period(), kept.period(), comparison.times())
                || comparison.given().filter(given -> SummedRange.isRounded(given, kept.against(), comparison.times()))
                        .isPresent();
        return rounded ? horizons.rounding(kept.period()).rounding(kept.against()) : horizons;
    }

    private static Optional<TimeRange> given(Parameters parameters, TimeParameters times) {
        Optional<TimeRange> given = times.range(QueryParameter.AGAINST_FROM, QueryParameter.AGAINST_TO);
        if (given.isPresent() && parameters.text(QueryParameter.AGAINST).isPresent()) {
            throw Parameters.invalid(QueryParameter.AGAINST, "cannot be combined with `againstFrom` or `againstTo`");
        }
        return given;
    }

    /** Returns the period that ends later: once it has ended, both have. */
    public TimeRange later() {
        return period.whole().to().isAfter(against.whole().to()) ? period.whole() : against.whole();
    }

    private record Pair(Granularity granularity, TimeRange period, TimeRange against) {
    }

    /**
     * What is asked to be compared.
     *
     * @param given the other period, if the request has its bounds
     * @param named which one it is otherwise
     */
    private record Comparison(List<Granularity> stored, TimeRange period, Optional<TimeRange> given, Against named,
            TimeParameters times) {

        /** Returns the two periods in the finest granularity of which both are made; empty if there is none. */
        Optional<Pair> in(Horizons horizons) {
            return stored.stream().filter(any -> !any.equals(Granularity.FOREVER)).map(this::rounded)
                    .filter(pair -> isComparable(pair, horizons)).findFirst();
        }

        /** Both periods are rounded alike: the other one is found from the period as it is rounded. */
        private Pair rounded(Granularity granularity) {
            // Only where it is short, the bucket in progress is about as good as a whole one.
            boolean inProgress = granularity.equals(stored.get(0));
            TimeRange own = SummedRange.rounded(granularity, period, times, inProgress);
            TimeRange other = given.map(range -> SummedRange.rounded(granularity, range, times, inProgress))
                    .orElseGet(() -> other(named, own, times.zone()));
            return new Pair(granularity, own, notBeforeAnyBucket(other, granularity));
        }

        private boolean isComparable(Pair pair, Horizons horizons) {
            boolean differ = pair.period().isEmpty() || !pair.against().equals(pair.period());
            boolean whole = period.isEmpty() == pair.period().isEmpty()
                    && given.map(range -> range.isEmpty() == pair.against().isEmpty()).orElse(true);
            return differ && whole && SummedRange.isExact(stored, pair.period(), horizons)
                    && SummedRange.isExact(stored, pair.against(), horizons)
                    && SummedRange.keepsMidnights(period, pair.period(), times)
                    && given.map(range -> SummedRange.keepsMidnights(range, pair.against(), times)).orElse(true);
        }

        ComparedPeriods periods(Pair pair, boolean comparable, Horizons horizons) {
            // The previous period ends where the period begins.
            QueryParameter end = named == Against.PREVIOUS ? QueryParameter.FROM : QueryParameter.TO;
            return new ComparedPeriods(
                    SumRange.of(stored, pair.period(), horizons, times, QueryParameter.FROM, QueryParameter.TO),
                    SumRange.of(stored, pair.against(), horizons, times,
                            given.isPresent() ? QueryParameter.AGAINST_FROM : QueryParameter.FROM,
                            given.isPresent() ? QueryParameter.AGAINST_TO : end),
                    comparable, horizons);
        }

        InvalidInputException incomparable() {
            Pair pair = rounded(stored.get(0));
            return Parameters.invalid(given.isPresent() ? QueryParameter.AGAINST_FROM : QueryParameter.AGAINST,
                    "the other period must be another one, of as many buckets of " + stored.get(0)
                            + ", the finest granularity that can answer, found " + pair.against().from() + " to "
                            + pair.against().to() + "; use another one, or againstFrom and againstTo");
        }
    }

    private static TimeRange other(Against against, TimeRange period, ZoneId zone) {
        ZonedDateTime from = period.from().atZone(zone);
        ZonedDateTime to = period.to().atZone(zone);
        return switch (against) {
            case PREVIOUS -> asLong(from, to, from);
            case DAY -> asLong(from, to, to.minusDays(1));
            case WEEK -> asLong(from, to, to.minusWeeks(1));
            case MONTH -> earlier(from, to, Period.ofMonths(1));
            case YEAR -> earlier(from, to, Period.ofYears(1));
        };
    }

    /** Months differ in length: whole months are compared with whole months, other periods with one of the same length. */
    private static TimeRange earlier(ZonedDateTime from, ZonedDateTime to, Period step) {
        return isFirstOfMonth(from) && isFirstOfMonth(to)
                ? new TimeRange(startOfDay(from.minus(step)), startOfDay(to.minus(step)))
                : asLong(from, to, to.minus(step));
    }

    private static boolean isFirstOfMonth(ZonedDateTime time) {
        return time.getDayOfMonth() == 1 && isStartOfDay(time);
    }

    private static boolean isStartOfDay(ZonedDateTime time) {
        return time.toInstant().equals(startOfDay(time));
    }

    private static Instant startOfDay(ZonedDateTime time) {
        return time.toLocalDate().atStartOfDay(time.getZone()).toInstant();
    }

    /** Returns a range of as many calendar days, which may have an hour more or less, and the same part of a day. */
    private static TimeRange asLong(ZonedDateTime from, ZonedDateTime to, ZonedDateTime end) {
        if (isStartOfDay(from) && isStartOfDay(to)) {
            long whole = ChronoUnit.DAYS.between(from.toLocalDate(), to.toLocalDate());
            return new TimeRange(startOfDay(end.minusDays(whole)), startOfDay(end));
        }
        long days = ChronoUnit.DAYS.between(from, to);
        ZonedDateTime start = end.minus(Duration.between(from.plusDays(days), to)).minusDays(days);
        return new TimeRange(start.toInstant(), end.toInstant());
    }

    /** The first bucket may start before the earliest event, like the week of 1970-01-01; none starts before that. */
    private static TimeRange notBeforeAnyBucket(TimeRange range, Granularity finest) {
        Instant first = finest.floor(EventTimes.EARLIEST);
        return new TimeRange(TimeRange.later(range.from(), first), TimeRange.later(range.to(), first));
    }
}
