package dev.windrow.gather.api;

import java.net.URI;

import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.query.Operation;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import io.micrometer.core.instrument.MeterRegistry;

/** Tells every failure as a problem document, whose reason is the word of logs and metrics too. */
class ProblemMappers {

    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);

    private static final String ALLOWED = "GET, HEAD, OPTIONS, POST";

    @Inject
    FanoutConfig fanout;

    @Inject
    MeterRegistry metrics;

    @ServerExceptionMapper
    Response badRequest(ReasonedException failure, UriInfo uri) {
        return response(failure.reason(), String.valueOf(failure.getMessage()), uri, failure.field());
    }

    @ServerExceptionMapper
    Response notGathered(GatherException failure, UriInfo uri) {
        if (failure.reason() == Reason.INTERNAL) {
            LOG.errorf(failure, "reason=%s path=%s", failure.reason().word(), uri.getPath());
        } else {
            LOG.warnf("reason=%s path=%s: %s", failure.reason().word(), uri.getPath(), failure.getMessage());
        }
        return response(failure.reason(), failure.reason() == Reason.INTERNAL
                ? "see the server's log"
                : String.valueOf(failure.getMessage()), uri, null);
    }

    @ServerExceptionMapper
    Response refused(WebApplicationException failure, UriInfo uri, Request request) {
        Response given = failure.getResponse();
        int status = isOtherMethod(request.getMethod(), uri.getPath()) ? 405 : given.getStatus();
        Reason reason = switch (status) {
            case 404 -> Reason.NOT_FOUND;
            case 405 -> Reason.METHOD_NOT_ALLOWED;
            case 406 -> Reason.NOT_ACCEPTABLE;
            case 415 -> Reason.UNSUPPORTED_MEDIA_TYPE;
            default -> status < 500 ? Reason.BAD_REQUEST : Reason.INTERNAL;
        };
        Response problem = response(reason, reason.meaning(), uri, null);
        return status == 405 ? Response.fromResponse(problem).header(HttpHeaders.ALLOW, ALLOWED).build() : problem;
    }

    /** The router tells another method on a path it knows as a path it does not know. */
    private static boolean isOtherMethod(String method, String path) {
        return Operation.ofPath(path).isPresent() && path.startsWith("/api/v1/datasets/") && !ALLOWED.contains(method);
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failure, UriInfo uri) {
        LOG.errorf(failure, "reason=%s path=%s", Reason.INTERNAL.word(), uri.getPath());
        return response(Reason.INTERNAL, "see the server's log", uri, null);
    }

    private Response response(Reason reason, String detail, UriInfo uri, @Nullable String parameter) {
        URI instance = URI.create(uri.getRequestUri().getRawPath());
        Problem problem = Problem.of(reason, detail, instance, parameter);
        metrics.counter("windrow.gather.problems", "reason", reason.word()).increment();
        Response.ResponseBuilder response = Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
        if (problem.status() == Response.Status.SERVICE_UNAVAILABLE.getStatusCode()) {
            response.header(HttpHeaders.RETRY_AFTER, Math.max(1, fanout.retryAfter().toSeconds()));
        }
        if (problem.status() == Response.Status.UNAUTHORIZED.getStatusCode()) {
            response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return response.build();
    }
}
