package dev.windrow.gather.totals;

import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Horizons;
import dev.windrow.gather.plan.Horizons.SummedRange;
import dev.windrow.gather.plan.LabelSelection;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.PeriodQuery;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryContext.RangeSum;
import dev.windrow.gather.plan.QueryContext.SumQuery;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SumRange;
import dev.windrow.gather.plan.Tiling;
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
        SummedRange summed = Horizons.of(scope, context).summed(scope, scope.stored(selection), times.range(), parameters);
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

    /**
     * A period and the one it is compared with.
     *
     * @param period the requested period, aligned to the finest granularity that exists at the start of both
     * @param against the other period, aligned in the same way
     * @param horizons with the reason if the periods are not what they would be without retention
     */
    public record ComparedPeriods(SumRange period, SumRange against, Horizons horizons) {

        public enum Against {
            PREVIOUS,
            DAY,
            WEEK,
            MONTH,
            YEAR
        }

        public static ComparedPeriods of(DatasetScope scope, List<Granularity> stored, Parameters parameters,
                QueryContext context) {
            TimeParameters times = context.times(parameters);
            TimeRange requested = times.range();
            if (parameters.text(QueryParameter.FROM).isEmpty() && parameters.text(QueryParameter.LAST).isEmpty()) {
                throw Parameters.missing(QueryParameter.FROM, "needs a period with a start: give from and to, or last");
            }
            TimeRange closed = new TimeRange(requested.from(), requested.to().equals(TimeRange.END)
                    ? TimeRange.later(context.now(), requested.from())
                    : requested.to());
            Against named = parameters.choice(QueryParameter.AGAINST, Against.values()).orElse(Against.PREVIOUS);
            Optional<TimeRange> given = given(parameters, times);
            TimeRange other = given.orElseGet(() -> other(named, closed, times.zone()));
            Horizons horizons = Horizons.of(scope, context);
            // Both are read from the same granularities, so that their bounds are moved in the same way.
            List<Granularity> existing = horizons.stored(horizons.stored(stored, closed), other);
            Granularity finest = existing.get(0);
            TimeRange period = Tiling.aligned(scope, existing, closed, parameters);
            TimeRange against = Tiling.aligned(scope, existing, other, parameters);
            if (given.isEmpty() && !isComparable(finest, closed, period, against)) {
                throw Parameters.invalid(QueryParameter.AGAINST, "the other period must have as many buckets of " + finest
                        + ", the finest granularity that can answer, found " + against.from() + " to " + against.to()
                        + "; use another one, or againstFrom and againstTo");
            }
            // The previous period ends where the period begins.
            QueryParameter end = named == Against.PREVIOUS ? QueryParameter.FROM : QueryParameter.TO;
            return new ComparedPeriods(
                    SumRange.of(finest, horizons.cut(finest, notBeforeAnyBucket(period, finest)), times, QueryParameter.FROM,
                            QueryParameter.TO),
                    SumRange.of(finest, horizons.cut(finest, notBeforeAnyBucket(against, finest)), times,
                            given.isPresent() ? QueryParameter.AGAINST_FROM : QueryParameter.FROM,
                            given.isPresent() ? QueryParameter.AGAINST_TO : end),
                    horizons.noting(stored, existing, closed, period).noting(stored, existing, other, against));
        }

        /**
         * Whether the other period is a different one with as many buckets, once its bounds have been aligned to coarse
         * buckets.
         */
        private static boolean isComparable(Granularity finest, TimeRange requested, TimeRange period, TimeRange against) {
            if (!period.isEmpty() && (against.isEmpty() || against.equals(period))) {
                return false;
            }
            boolean varies = finest.equals(Granularity.MONTH) || finest.equals(Granularity.YEAR);
            return !varies || !requested.equals(period) || buckets(finest, period) == buckets(finest, against);
        }

        private static long buckets(Granularity granularity, TimeRange range) {
            return Stream.iterate(range.from(), start -> start.isBefore(range.to()), granularity::end).count();
        }

        private static Optional<TimeRange> given(Parameters parameters, TimeParameters times) {
            Optional<TimeRange> given = times.range(QueryParameter.AGAINST_FROM, QueryParameter.AGAINST_TO);
            if (given.isPresent() && parameters.text(QueryParameter.AGAINST).isPresent()) {
                throw Parameters.invalid(QueryParameter.AGAINST, "cannot be combined with `againstFrom` or `againstTo`");
            }
            return given;
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

        /** Returns the period that ends later: once it has ended, both have. */
        public TimeRange later() {
            return period.whole().to().isAfter(against.whole().to()) ? period.whole() : against.whole();
        }
    }
}
