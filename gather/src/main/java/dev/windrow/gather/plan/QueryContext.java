package dev.windrow.gather.plan;

import java.time.Duration;
import java.time.Instant;

import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeParameters;

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

}
