package dev.windrow.gather.api.request;

import java.time.Clock;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.api.ApiConfig;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryLimits;

/** Makes the context in which requests are read: limits, the current time, and how fresh the table is. */
@ApplicationScoped
public class QueryContexts {

    private final QueryLimits limits;
    private final Clock clock;
    private final RequestFreshness freshness;

    QueryContexts(ApiConfig config, Clock clock, RequestFreshness freshness) {
        this.limits = new QueryLimits(config.defaultLimit(), config.maxLimit(), config.maxPoints(), config.maxTop(),
                config.maxLabels(), config.live().maxWindow(), config.defaultTimeout(), config.maxTimeout());
        this.clock = clock;
        this.freshness = freshness;
    }

    /** The context of the current request. */
    public QueryContext current() {
        return new QueryContext(limits, clock.instant().truncatedTo(ChronoUnit.MILLIS), freshness.get());
    }
}
