package dev.windrow.gather.request;

import java.time.Clock;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;

import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;

/** Makes the context in which requests are read: limits, the current time, and how fresh the table is. */
@ApplicationScoped
public class QueryContexts {

    private final QueryLimits limits;
    private final Clock clock;
    private final RequestFreshness freshness;

    QueryContexts(ApiConfig config, Clock clock, RequestFreshness freshness) {
        this.limits = new QueryLimits(Math.min(QueryLimits.DEFAULT_LIMIT, config.maxLimit()), config.maxLimit(),
                config.maxPoints(), QueryLimits.MAX_TOP, config.maxLabels(), QueryLimits.MAX_WINDOW, config.defaultTimeout(),
                config.maxTimeout());
        this.clock = clock;
        this.freshness = freshness;
    }

    /** The context of the current request. */
    public QueryContext current() {
        return new QueryContext(limits, clock.instant().truncatedTo(ChronoUnit.MILLIS), freshness.get());
    }

    /** How fresh the table's buckets were before the request was planned; unknown for requests that do not need it. */
    @RequestScoped
    public static class RequestFreshness {

        private TableFreshness freshness = TableFreshness.UNKNOWN;

        public void set(TableFreshness read) {
            freshness = read;
        }

        public TableFreshness get() {
            return freshness;
        }
    }
}
