package dev.windrow.gather.api.problem;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.GatherException;
import io.micrometer.core.instrument.MeterRegistry;

/** Creates problem documents with their headers, and counts them. */
@ApplicationScoped
public class Problems {

    /** What clients learn of a fault of the service. */
    public static final String SEE_LOG = "see the server's log";

    private static final int MAX_PATH_LENGTH = 1_024;

    private final MeterRegistry metrics;
    private final FanoutConfig fanout;

    Problems(MeterRegistry metrics, FanoutConfig fanout) {
        this.metrics = metrics;
        this.fanout = fanout;
    }

    /**
     * A problem of one request.
     *
     * @param path the raw path of the request; included only if it is a valid URI of moderate length
     * @param parameter the parameter, header or body field that is wrong, or null
     */
    public Problem of(Reason reason, String detail, @Nullable String path, @Nullable String parameter) {
        count(reason.word());
        return Problem.of(reason, detail, instance(path), parameter);
    }

    /** What to do about a problem of which nothing but the reason is known. */
    public static String advice(Reason reason) {
        return switch (reason) {
            case NOT_FOUND -> "expected a path of the API, such as /api/v1/datasets; /q/openapi lists them all";
            case METHOD_NOT_ALLOWED -> "expected one of the methods in the header Allow";
            case NOT_ACCEPTABLE -> "Accept: expected application/json, or another type that /q/openapi lists for the path";
            case UNSUPPORTED_MEDIA_TYPE -> "Content-Type: expected a type that /q/openapi lists for the path, or no body";
            case CONTENT_TOO_LARGE -> "expected a body within the limit (quarkus.http.limits.max-body-size)";
            case URI_TOO_LONG -> "expected a path and query within the limit; queries may be posted as a JSON object";
            case HEADERS_TOO_LARGE -> "expected headers within the limit (quarkus.http.limits.max-header-size)";
            case BAD_REQUEST -> "expected a well-formed HTTP request: a path that begins with /, percent-encoding where it is"
                    + " needed, and headers of a name, a colon and a value";
            case INTERNAL -> SEE_LOG;
            default -> reason.meaning();
        };
    }

    /** Counts a problem that is reported in another way than with a document of its own. */
    public void count(String reason) {
        metrics.counter("windrow.gather.problems", "reason", reason).increment();
    }

    /** The reason of any failure: {@link Reason#INTERNAL} unless it carries one. */
    public static Reason reason(Throwable failure) {
        return failure instanceof InvalidInputException invalid ? invalid.reason() : GatherException.reasonOf(failure);
    }

    /** What is wrong, for clients. */
    public static String detail(Throwable failure) {
        if (failure instanceof InvalidInputException) {
            return String.valueOf(failure.getMessage());
        }
        return failure instanceof GatherException known && known.reason() != Reason.INTERNAL ? known.publicMessage() : SEE_LOG;
    }

    /** The document's headers: when to retry, and how to authenticate. */
    public Map<String, String> headers(Problem problem) {
        Map<String, String> headers = new HashMap<>();
        if (problem.status() == 503) {
            headers.put(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, fanout.retryAfter().toSeconds())));
        }
        if (problem.status() == 401) {
            headers.put(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return headers;
    }

    private static @Nullable URI instance(@Nullable String path) {
        try {
            return path == null || path.length() > MAX_PATH_LENGTH ? null : new URI(path);
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
