package dev.windrow.gather.query;

import java.time.Duration;
import java.time.Instant;

/**
 * The context in which a request is read.
 *
 * @param limits of a request
 * @param now what relative times count from
 * @param freshness how fresh the table's buckets are
 */
public record QueryContext(QueryLimits limits, Instant now, TableFreshness freshness) {

    /** How long a query with these parameters may take. */
    public Duration timeout(Parameters parameters) {
        return times(parameters).timeout(limits.defaultTimeout(), limits.maxTimeout());
    }

    /**
     * Whether the request is about the same range whenever it is sent: its times are fixed, or a cursor holds the range of the
     * first page.
     */
    public boolean hasFixedRange(Parameters parameters) {
        return parameters.has(QueryParameter.CURSOR) || !times(parameters).isRelative();
    }

    TimeParameters times(Parameters parameters) {
        return new TimeParameters(parameters, now);
    }
}
