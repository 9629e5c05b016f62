package dev.windrow.gather.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.read.GatherException;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Turns every failure into a problem document and counts it by reason, the same word as in logs and metrics. */
@ApplicationScoped
public class Problems {

    /** The detail that clients see of an internal error. */
    public static final String SEE_LOG = "see the server's log";

    private static final StructuredLogger LOG = StructuredLogger.of(Problems.class);
    private static final List<String> READ = List.of("GET", "HEAD", "OPTIONS");
    private static final List<String> READ_OR_POST = List.of("GET", "HEAD", "OPTIONS", "POST");
    /** Runs before the framework's own failure handlers, which answer with HTML, a stack trace or nothing. */
    private static final int FIRST = -100_000;
    private static final Pattern DASHBOARD = Pattern.compile("/api/v1/datasets/[^/]+/dashboard/?");
    private static final int MAX_PATH_LENGTH = 1_024;
    /** The shortest time the header can express: overloads and outages may end that soon. */
    private static final String RETRY_AFTER_SECONDS = "1";

    private final MeterRegistry metrics;
    private final ObjectMapper json;

    Problems(MeterRegistry metrics, ObjectMapper json) {
        this.metrics = metrics;
        this.json = json;
    }

    /**
     * Makes and counts a problem of one request.
     *
     * @param path the raw path of the request; included only if it is a valid URI of moderate length
     * @param parameter the parameter, header or body field that is wrong, or null
     */
    public Problem of(Reason reason, String detail, @Nullable String path, @Nullable String parameter) {
        count(reason.word());
        return new Problem(URI.create(Problem.TYPES + reason.word()), reason.meaning(), Problem.status(reason), detail,
                instance(path), parameter);
    }

    /** Returns advice for a problem of which only the reason is known. */
    public static String advice(Reason reason) {
        return switch (reason) {
            case NOT_FOUND -> "no such path; /q/openapi lists all of them, such as /api/v1/datasets";
            case METHOD_NOT_ALLOWED -> "use one of the methods in the header Allow";
            case NOT_ACCEPTABLE -> "Accept: expected application/json, or another type that /q/openapi lists for the path";
            case UNSUPPORTED_MEDIA_TYPE -> "Content-Type: expected a type that /q/openapi lists for the path, or no body";
            case CONTENT_TOO_LARGE -> "the body is larger than the limit (quarkus.http.limits.max-body-size)";
            case BAD_REQUEST -> "expected a well-formed HTTP request: a path that begins with /, percent-encoding where it is"
                    + " needed, and headers of a name, a colon and a value";
            case INTERNAL -> SEE_LOG;
            default -> reason.meaning();
        };
    }

    /** Counts a problem that is reported without a document of its own. */
    public void count(String reason) {
        metrics.counter("windrow.gather.problems", "reason", reason).increment();
    }

    /** Returns the reason of a failure: {@link Reason#INTERNAL} unless it carries one. */
    public static Reason reason(Throwable failure) {
        return failure instanceof InvalidInputException invalid ? invalid.reason() : GatherException.reasonOf(failure);
    }

    /** Returns what is wrong, in words that clients may see. */
    public static String detail(Throwable failure) {
        if (failure instanceof InvalidInputException) {
            return String.valueOf(failure.getMessage());
        }
        return failure instanceof GatherException known && known.reason() != Reason.INTERNAL ? known.publicMessage() : SEE_LOG;
    }

    @ServerExceptionMapper
    Response badRequest(InvalidInputException failure, HttpServerRequest request) {
        return response(failure.reason(), detail(failure), request, failure.field());
    }

    @ServerExceptionMapper
    Response notGathered(GatherException failure, HttpServerRequest request) {
        if (failure.reason() == Reason.INTERNAL) {
            return unexpected(failure, request);
        }
        LOG.warn("request failed; returned a problem document", LogKey.REASON.of(failure.reason().word()),
                LogKey.PATH.of(request.path()), LogKey.ERROR.of(failure.getMessage()));
        return response(failure.reason(), detail(failure), request, null);
    }

    @ServerExceptionMapper({ UnauthorizedException.class, AuthenticationFailedException.class })
    Response unauthenticated(HttpServerRequest request) {
        return response(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION + ": expected 'Bearer' and a valid credential",
                request, HttpHeaders.AUTHORIZATION);
    }

    @ServerExceptionMapper
    Response refused(WebApplicationException failure, HttpServerRequest request) {
        int status = isOtherMethod(request.method().name(), request.path()) ? 405 : failure.getResponse().getStatus();
        Reason reason = Problem.reason(status);
        Response problem = response(reason, advice(reason), request, null);
        return status != 405 ? problem
                : Response.fromResponse(problem).header(HttpHeaders.ALLOW, String.join(", ", allowed(request.path()))).build();
    }

    /** The router reports an unsupported method on a known path as an unknown path. */
    private static boolean isOtherMethod(String method, String path) {
        return (QueryKind.ofPath(path).isPresent() || DASHBOARD.matcher(path).matches()) && !allowed(path).contains(method);
    }

    private static List<String> allowed(String path) {
        return PrometheusError.isPostable(path) || QueryKind.ofPath(path).filter(QueryKind::isPostable).isPresent()
                ? READ_OR_POST
                : READ;
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failure, HttpServerRequest request) {
        LOG.error(failure, "request failed", LogKey.REASON.of(Reason.INTERNAL.word()), LogKey.PATH.of(request.path()));
        return response(Reason.INTERNAL, SEE_LOG, request, null);
    }

    private Response response(Reason reason, String detail, HttpServerRequest request, @Nullable String parameter) {
        Problem problem = of(reason, detail, request.path(), parameter);
        Response.ResponseBuilder response = PrometheusError.isExpected(request.path())
                ? Response.status(PrometheusError.status(problem)).type(MediaType.APPLICATION_JSON)
                        .entity(PrometheusError.of(problem))
                : Response.status(problem.status()).type(Problem.MEDIA_TYPE).entity(problem);
        // The status needs a header that says when to retry or how to authenticate.
        return switch (problem.status()) {
            case 503 -> response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS).build();
            case 401 -> response.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer").build();
            default -> response.build();
        };
    }

    /**
     * Logs and counts a failure of a stream that has begun: its headers have been sent, so no problem document can report the
     * reason. A failure before the first item is left to be reported as a problem. A client that disconnects is not a failure.
     */
    public <T> Multi<T> noted(Multi<T> stream) {
        return Multi.createFrom().deferred(() -> {
            AtomicBoolean begun = new AtomicBoolean();
            return stream.onItem().invoke(item -> begun.set(true)).onFailure(failure -> begun.get()).invoke(this::noteAborted);
        });
    }

    private void noteAborted(Throwable failure) {
        Reason reason = GatherException.reasonOf(failure);
        count(reason.word());
        if (reason == Reason.INTERNAL) {
            LOG.error(failure, "stream aborted, its client sees an incomplete response", LogKey.REASON.of(reason.word()));
        } else {
            LOG.warn("stream aborted, its client sees an incomplete response", LogKey.REASON.of(reason.word()),
                    LogKey.ERROR.of(failure.getMessage()));
        }
    }

    /** Answers outside of any resource. If a response has started, it can only reset the connection. */
    void send(RoutingContext request, Reason reason, String detail, @Nullable String parameter) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        Response problem = response(reason, detail, request.request(), parameter);
        problem.getStringHeaders().forEach(response::putHeader);
        byte[] document = Unchecked.supplier(() -> json.writeValueAsBytes(problem.getEntity())).get();
        response.setStatusCode(problem.getStatus()).end(Buffer.buffer(document));
    }

    /** Handles failures of the router, its filters and static files. */
    void add(@Observes Router router) {
        router.route().order(FIRST).failureHandler(this::answer);
    }

    private void answer(RoutingContext context) {
        int status = context.statusCode();
        Reason reason = Problem.reason(status);
        if (reason == Reason.INTERNAL) {
            LOG.error(context.failure(), "request failed", LogKey.REASON.of(reason.word()), LogKey.STATUS.of(status),
                    LogKey.PATH.of(context.request().path()));
        }
        send(context, reason, reason == Reason.BAD_REQUEST
                ? "expected a request of HTTP/1.0, 1.1 or 2 with a valid Host"
                : advice(reason), null);
    }

    private static @Nullable URI instance(@Nullable String path) {
        try {
            return path == null || path.length() > MAX_PATH_LENGTH ? null : new URI(path);
        } catch (URISyntaxException e) {
            return null;
        }
    }

}
