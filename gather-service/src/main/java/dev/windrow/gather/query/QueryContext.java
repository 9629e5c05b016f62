package dev.windrow.gather.query;

import java.time.Instant;

/**
 * What a request is read against.
 *
 * @param limits of a request
 * @param now what relative times count from
 */
public record QueryContext(QueryLimits limits, Instant now) {

    TimeParameters times(Parameters parameters) {
        return new TimeParameters(parameters, now);
    }
}
