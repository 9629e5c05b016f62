package dev.windrow.gather.query;

import java.time.Duration;

/**
 * How an answer is to be read, whatever is asked.
 *
 * @param timeout how long it may take
 * @param partial whether an answer without failed shards is welcome
 */
public record ReadOptions(Duration timeout, boolean partial) {

    static ReadOptions of(Parameters parameters, QueryContext context) {
        QueryLimits limits = context.limits();
        return new ReadOptions(
                context.times(parameters).timeout(limits.defaultTimeout(), limits.mostTimeout()),
                parameters.flag(QueryParameter.PARTIAL, true));
    }
}
