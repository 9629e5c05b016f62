package dev.windrow.gather.api.problem;

import java.util.List;

import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.query.QueryKind;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.core.http.HttpServerRequest;

/** Maps every failure to a problem document, whose reason is the word of logs and metrics too. */
class ExceptionMappers {

    private static final StructuredLogger LOG = StructuredLogger.of(ExceptionMappers.class);

    private static final List<String> READ = List.of("GET", "HEAD", "OPTIONS");
    private static final List<String> READ_OR_POST = List.of("GET", "HEAD", "OPTIONS", "POST");

    @Inject
    Problems problems;

    @ServerExceptionMapper
    Response badRequest(InvalidInputException failure, HttpServerRequest request) {
        return response(failure.reason(), Problems.detail(failure), request, failure.field());
    }

    @ServerExceptionMapper
    Response notGathered(GatherException failure, HttpServerRequest request) {
        if (failure.reason() == Reason.INTERNAL) {
            return unexpected(failure, request);
        }
        LOG.warn("request failed, the client gets a problem", LogKey.REASON.of(failure.reason().word()),
                LogKey.PATH.of(request.path()), LogKey.ERROR.of(failure.getMessage()));
        return response(failure.reason(), Problems.detail(failure), request, null);
    }

    @ServerExceptionMapper({ UnauthorizedException.class, AuthenticationFailedException.class })
    Response unauthenticated(HttpServerRequest request) {
        return response(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION + ": expected 'Bearer' and a valid credential",
                request,
                HttpHeaders.AUTHORIZATION);
    }

    @ServerExceptionMapper
    Response refused(WebApplicationException failure, HttpServerRequest request) {
        Response given = failure.getResponse();
        int status = isOtherMethod(request.method().name(), request.path()) ? 405 : given.getStatus();
        Reason reason = Problem.reason(status);
        Response problem = response(reason, Problems.advice(reason), request, null);
        return status == 405
                ? Response.fromResponse(problem).header(HttpHeaders.ALLOW, String.join(", ", allowed(request.path()))).build()
                : problem;
    }

    /** The router reports an unsupported method on a known path as an unknown path. */
    private static boolean isOtherMethod(String method, String path) {
        return QueryKind.ofPath(path).isPresent() && !allowed(path).contains(method);
    }

    private static List<String> allowed(String path) {
        return QueryKind.ofPath(path).filter(QueryKind::isPostable).isPresent() ? READ_OR_POST : READ;
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failure, HttpServerRequest request) {
        LOG.error(failure, "request failed", LogKey.REASON.of(Reason.INTERNAL.word()), LogKey.PATH.of(request.path()));
        return response(Reason.INTERNAL, Problems.SEE_LOG, request, null);
    }

    private Response response(Reason reason, String detail, HttpServerRequest request, @Nullable String parameter) {
        Problem problem = problems.of(reason, detail, request.path(), parameter);
        Response.ResponseBuilder response = Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
        problems.headers(problem).forEach(response::header);
        return response.build();
    }
}
