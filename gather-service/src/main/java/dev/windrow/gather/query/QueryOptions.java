package dev.windrow.gather.query;

import java.time.Duration;

/**
 * Options of every query: how its answer is gathered.
 *
 * @param timeout how long it may take; its end is the query's deadline
 * @param partial whether an answer without the failed shards is accepted
 * @param consistent whether all writes answered before must be seen; the table only
 * @param explain whether the answer reports how it was gathered
 * @param freshness how fresh the buckets are
 */
public record QueryOptions(Duration timeout, boolean partial, boolean consistent, boolean explain,
        TableFreshness freshness) {

    /** Where it does not matter how fresh the buckets are. */
    public QueryOptions(Duration timeout, boolean partial, boolean consistent, boolean explain) {
        this(timeout, partial, consistent, explain, TableFreshness.UNKNOWN);
    }

    /** The same with another timeout. */
    public QueryOptions within(Duration left) {
        return new QueryOptions(left, partial, consistent, explain, freshness);
    }

    static QueryOptions of(Parameters parameters, QueryContext context) {
        return new QueryOptions(
                context.timeout(parameters),
                parameters.flag(QueryParameter.PARTIAL, parameters.operation().partialByDefault()),
                parameters.flag(QueryParameter.CONSISTENT, false),
                parameters.flag(QueryParameter.EXPLAIN, false), context.freshness());
    }
}
