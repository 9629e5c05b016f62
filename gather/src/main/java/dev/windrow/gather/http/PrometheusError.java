package dev.windrow.gather.http;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A problem in the format of Prometheus' API.
 *
 * @param status {@code error}
 * @param errorType one of Prometheus' error types
 * @param error human-readable explanation
 * @param reason the stable word of this API
 */
@RegisterForReflection
public record PrometheusError(String status, String errorType, String error, String reason) {

    private static final Pattern POSTABLE = Pattern.compile("/api/v1/prometheus/api/v1/(query|query_range|series|labels)");

    /** Prometheus' clients read the text of an error only from responses with 400, 422 and 503. */
    public static int status(Problem problem) {
        return switch (problem.status()) {
            case 500, 502 -> 422;
            case 504 -> 503;
            default -> problem.status();
        };
    }

    /** Whether a path belongs to Prometheus' API, known or not. */
    static boolean isExpected(@Nullable String path) {
        return path != null && path.startsWith("/api/v1/prometheus/");
    }

    /** Whether parameters may also be posted as a form. */
    public static boolean isPostable(String path) {
        return POSTABLE.matcher(path).matches();
    }

    public static PrometheusError of(Problem problem) {
        String path = problem.type().getPath();
        return new PrometheusError("error", switch (problem.status()) {
            case 404 -> "not_found";
            case 406 -> "not_acceptable";
            case 500 -> "internal";
            case 502 -> "execution";
            case 503 -> "unavailable";
            case 504 -> "timeout";
            default -> "bad_data";
        }, problem.detail(), path.substring(path.lastIndexOf('/') + 1));
    }
}
