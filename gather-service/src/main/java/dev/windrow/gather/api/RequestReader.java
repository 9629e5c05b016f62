package dev.windrow.gather.api;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.UriInfo;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.query.Operation;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryLimits;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.Scope;
import dev.windrow.gather.security.Caller;

/** Reads requests about a dataset. */
@ApplicationScoped
class RequestReader {

    private final Datasets datasets;
    private final QueryLimits limits;
    private final Clock clock;
    private final Caller caller;

    RequestReader(Datasets datasets, ApiConfig config, Clock clock, Caller caller) {
        this.datasets = datasets;
        this.limits = new QueryLimits(config.defaultLimit(), config.mostLimit(), config.mostPoints(),
                config.defaultTimeout(), config.mostTimeout());
        this.clock = clock;
        this.caller = caller;
    }

    /** Makes a query of a request's parts. */
    @FunctionalInterface
    interface QueryOf<Q> {
        Q of(Scope scope, Parameters parameters, QueryContext context);
    }

    <Q> Asked<Q> read(Operation operation, String dataset, UriInfo uri, QueryOf<Q> queryOf) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Parameters parameters = Parameters.of(operation, uri.getQueryParameters());
        Scope scope = Scope.of(datasets, dataset, caller.tenant(parameters.text(QueryParameter.TENANT)));
        return new Asked<>(queryOf.of(scope, parameters, new QueryContext(limits, now)), now);
    }

    /**
     * A question.
     *
     * @param query what is asked
     * @param asOf when
     */
    record Asked<Q>(Q query, Instant asOf) {
    }
}
