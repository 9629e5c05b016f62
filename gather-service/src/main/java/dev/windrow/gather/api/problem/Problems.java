package dev.windrow.gather.api.problem;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
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
