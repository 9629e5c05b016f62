package dev.windrow.gather.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The context in which a request is read.
 *
 * @param now the time that relative times count from
 * @param freshness how fresh the table's buckets are
 * @param elapsed how long ago the request arrived
 */
public record QueryContext(QueryLimits limits, Instant now, TableFreshness freshness, Duration elapsed) {

    /** The context of a request that arrives now. */
    public QueryContext(QueryLimits limits, Instant now, TableFreshness freshness) {
        this(limits, now, freshness, Duration.ZERO);
    }

    /** How long a query with these parameters may still take; zero if its deadline has passed. */
    public Duration timeout(Parameters parameters) {
        Duration left = times(parameters).timeout(limits.defaultTimeout(), limits.maxTimeout()).minus(elapsed);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Whether the request is about the same range whenever it is sent: its times are fixed, or a cursor holds the range of the
     * first page.
     */
    public boolean hasFixedRange(Parameters parameters) {
        return parameters.has(QueryParameter.CURSOR) || !times(parameters).isRelative();
    }

    public TimeParameters times(Parameters parameters) {
        return new TimeParameters(parameters, now);
    }

    /** Which buckets of the dataset that is read exist. */
    public Horizons horizons(DatasetScope scope) {
        return Horizons.of(scope.dataset().retention(), now);
    }

    /**
     * Limits of one request.
     *
     * @param defaultLimit items of a page if the request sets no limit
     * @param maxLimit maximum number of items of a page
     * @param maxPoints maximum number of buckets of a series
     * @param maxTop maximum number of items of a top list
     * @param maxLabels maximum number of labels that a top list is picked from
     * @param maxWindow maximum window of watched buckets
     * @param defaultTimeout how long an answer may take if the request sets no timeout
     * @param maxTimeout maximum timeout of a request
     */
    public record QueryLimits(int defaultLimit, int maxLimit, int maxPoints, int maxTop, int maxLabels,
            Duration maxWindow, Duration defaultTimeout, Duration maxTimeout) {

        /** A page that a person reads; programs ask for larger ones. */
        public static final int DEFAULT_LIMIT = 100;

        /** A list that a person may still look through; picking a longer one costs as much as all labels. */
        public static final int MAX_TOP = 1_000;

        /** Older buckets change too rarely to be watched. */
        public static final Duration MAX_WINDOW = Duration.ofDays(1);
    }

    /**
     * Options of every query: how its answer is gathered.
     *
     * @param timeout how long it may take; its end is the query's deadline
     * @param partial whether an answer without the failed shards is accepted
     * @param consistent whether all writes acknowledged before must be seen; the table only
     * @param explain whether the answer reports how it was gathered
     * @param freshness how fresh the buckets are
     * @param horizons which buckets exist
     */
    public record QueryOptions(Duration timeout, boolean partial, boolean consistent, boolean explain,
            TableFreshness freshness, Horizons horizons) {

        /** Options for buckets of unknown freshness, all of which exist. */
        public QueryOptions(Duration timeout, boolean partial, boolean consistent, boolean explain) {
            this(timeout, partial, consistent, explain, TableFreshness.UNKNOWN, Horizons.NONE);
        }

        public QueryOptions within(Duration left) {
            return new QueryOptions(left, partial, consistent, explain, freshness, horizons);
        }

        public QueryOptions with(Horizons others) {
            return new QueryOptions(timeout, partial, consistent, explain, freshness, others);
        }

        public static QueryOptions of(Parameters parameters, QueryContext context, Horizons horizons) {
            return new QueryOptions(context.timeout(parameters),
                    parameters.flag(QueryParameter.PARTIAL, parameters.operation().partialByDefault()),
                    parameters.flag(QueryParameter.CONSISTENT, false),
                    parameters.flag(QueryParameter.EXPLAIN, false), context.freshness(), horizons);
        }
    }

    /** A query about one range of bucket starts. */
    public interface RangeQuery {

        DatasetScope scope();

        /** The range, aligned to the granularity that is read. */
        TimeRange range();

        /** The range that ends last among those that are read. */
        default TimeRange latestRange() {
            return range();
        }

        QueryOptions options();
    }

    /** A query about one range whose bounds may be dates. */
    public interface PeriodQuery extends RangeQuery {

        SumRange period();

        @Override
        default TimeRange range() {
            return period().range();
        }

        @Override
        default TimeRange latestRange() {
            return period().whole();
        }
    }

    /** A query whose result is made of sums over labels, so that a roll-up of the dataset may answer it as well. */
    public interface SumQuery {

        /**
         * What the result sums: equal for two queries that sum the same buckets. It contains the aligned range, because bounds
         * are moved up to the finest available granularity, which may be coarser in a roll-up.
         */
        List<Object> summed();

        List<QueryPlan> plans();

        QueryOptions options();

        /** The time up to which the buckets read contain the claimed events; empty if unknown. */
        default Optional<Instant> asOf() {
            return plans().stream().flatMap(plan -> options().freshness().asOf(plan).stream()).reduce(TimeRange::earlier);
        }

        /** The start of the earliest bucket that may be read. */
        Instant earliestStart();
    }

    /** The sums over one range, by one plan. */
    public interface RangeSum extends RangeQuery, SumQuery {

        QueryPlan plan();

        @Override
        default List<Object> summed() {
            return List.of(range());
        }

        @Override
        default List<QueryPlan> plans() {
            return List.of(plan());
        }

        @Override
        default Instant earliestStart() {
            return range().from();
        }
    }
}
