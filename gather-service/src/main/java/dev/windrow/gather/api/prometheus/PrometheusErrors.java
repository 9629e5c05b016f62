package dev.windrow.gather.api.prometheus;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.Problems;
import dev.windrow.gather.fanout.GatherException;

/** Problems as Prometheus' clients read them. */
@ApplicationScoped
class PrometheusErrors {

    private static final StructuredLogger LOG = StructuredLogger.of(PrometheusErrors.class);

    private final Problems problems;

    PrometheusErrors(Problems problems) {
        this.problems = problems;
    }

    Response of(InvalidInputException failure) {
        return response(failure.reason(), Problems.detail(failure));
    }

    Response unauthenticated() {
        return response(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION + ": expected 'Bearer' and a valid credential");
    }

    Response of(GatherException failure, String path) {
        if (failure.reason() == Reason.INTERNAL) {
            LOG.error(failure, "request failed", LogKey.REASON.of(failure.reason().word()), LogKey.PATH.of(path));
        } else {
            LOG.warn("request failed, the client gets an error", LogKey.REASON.of(failure.reason().word()),
                    LogKey.PATH.of(path), LogKey.ERROR.of(failure.getMessage()));
        }
        return response(failure.reason(), Problems.detail(failure));
    }

    private Response response(Reason reason, String detail) {
        Problem problem = problems.of(reason, detail, null, null);
        Response.ResponseBuilder response = Response.status(PrometheusError.status(problem))
                .type(MediaType.APPLICATION_JSON_TYPE).entity(PrometheusError.of(problem));
        problems.headers(problem).forEach(response::header);
        return response.build();
    }
}
