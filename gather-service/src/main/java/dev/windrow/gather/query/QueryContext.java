package dev.windrow.gather.query;

import java.time.Instant;

/**
 * The context in which a request is read.
 *
 * @param limits of a request
 * @param now what relative times count from
 * @param freshness how fresh the table's buckets are
 */
public record QueryContext(QueryLimits limits, Instant now, TableFreshness freshness) {

    TimeParameters times(Parameters parameters) {
        return new TimeParameters(parameters, now);
    }
}
