package dev.windrow.gather.query;

import java.time.Duration;

/**
 * How an answer is to be read, whatever is asked.
 *
 * @param timeout how long it may take
 * @param partial whether an answer without failed shards is welcome
 * @param consistent whether all writes answered before must be seen; the table only
 * @param explain whether the answer shall tell how it was gathered
 */
public record ReadOptions(Duration timeout, boolean partial, boolean consistent, boolean explain) {

    static ReadOptions of(Parameters parameters, QueryContext context) {
        QueryLimits limits = context.limits();
        return new ReadOptions(
                context.times(parameters).timeout(limits.defaultTimeout(), limits.mostTimeout()),
                parameters.flag(QueryParameter.PARTIAL, parameters.operation().partialByDefault()),
                parameters.flag(QueryParameter.CONSISTENT, false),
                parameters.flag(QueryParameter.EXPLAIN, false));
    }
}
