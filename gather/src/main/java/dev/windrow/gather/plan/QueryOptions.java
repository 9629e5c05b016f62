package dev.windrow.gather.plan;

import java.time.Duration;

import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.Horizons;

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
