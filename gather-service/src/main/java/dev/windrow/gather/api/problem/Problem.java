package dev.windrow.gather.api.problem;

import java.net.URI;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.reason.Reason;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A problem document of RFC 9457.
 *
 * @param type where the reason is explained; its last segment is the reason's word, which never changes
 * @param title what the reason means
 * @param status the HTTP status
 * @param detail what is wrong with this request, human-readable
 * @param instance the path of the request; absent if it is no valid path
 * @param parameter the parameter, header or body field that is wrong
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RegisterForReflection
@Schema(name = "Problem", description = "A problem document of RFC 9457.")
public record Problem(
        @Schema(description = "Where the reason is explained; the last segment is a stable word.", examples = "/api/v1/problems/invalid-parameter") URI type,
        @Schema(examples = "a parameter's value is wrong") String title,
        @Schema(examples = "400") int status,
        @Schema(examples = "limit: expected a whole number from 1 to 10000, found 'x'") String detail,
        @Schema(examples = "/api/v1/datasets/clicks/buckets") @Nullable URI instance,
        @Schema(description = "The parameter that is wrong, if one is.", examples = "limit") @Nullable String parameter) {

    /** The media type of RFC 9457. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** Where reasons are explained, each at its word. */
    public static final String TYPES = "/api/v1/problems/";

    private static final Map<Reason, Integer> STATUS = statuses();

    static Problem of(Reason reason, String detail, @Nullable URI instance, @Nullable String parameter) {
        return new Problem(URI.create(TYPES + reason.word()), reason.meaning(), status(reason), detail, instance, parameter);
    }

    /** The HTTP status of a reason; 500 for those that no request should meet. */
    public static int status(Reason reason) {
        return STATUS.getOrDefault(reason, 500);
    }

    /** The reason of an error of which nothing is known but the HTTP status. */
    public static Reason reason(int status) {
        return switch (status) {
            case 401 -> Reason.UNAUTHENTICATED;
            case 403 -> Reason.FORBIDDEN;
            case 404 -> Reason.NOT_FOUND;
            case 405 -> Reason.METHOD_NOT_ALLOWED;
            case 406 -> Reason.NOT_ACCEPTABLE;
            case 412 -> Reason.PRECONDITION_FAILED;
            case 413 -> Reason.CONTENT_TOO_LARGE;
            case 414 -> Reason.URI_TOO_LONG;
            case 415 -> Reason.UNSUPPORTED_MEDIA_TYPE;
            case 431 -> Reason.HEADERS_TOO_LARGE;
            case 503 -> Reason.OVERLOADED;
            default -> status >= 400 && status < 500 ? Reason.BAD_REQUEST : Reason.INTERNAL;
        };
    }

    private static Map<Reason, Integer> statuses() {
        Map<Reason, Integer> statuses = new EnumMap<>(Reason.class);
        for (Reason reason : EnumSet.of(Reason.INVALID_TIME, Reason.INVALID_TENANT, Reason.KEY_TOO_LONG,
                Reason.INVALID_TEXT, Reason.MISSING_PARAMETER, Reason.INVALID_PARAMETER, Reason.UNKNOWN_PARAMETER,
                Reason.INVALID_CURSOR, Reason.RANGE_TOO_LONG, Reason.BAD_REQUEST, Reason.NOT_JSON, Reason.NOT_AN_OBJECT,
                Reason.WRONG_FIELD_TYPE, Reason.NUMBER_OUT_OF_RANGE)) {
            statuses.put(reason, 400);
        }
        statuses.put(Reason.UNAUTHENTICATED, 401);
        statuses.put(Reason.FORBIDDEN, 403);
        statuses.put(Reason.UNKNOWN_DATASET, 404);
        statuses.put(Reason.NOT_FOUND, 404);
        statuses.put(Reason.METHOD_NOT_ALLOWED, 405);
        statuses.put(Reason.NOT_ACCEPTABLE, 406);
        statuses.put(Reason.PRECONDITION_FAILED, 412);
        statuses.put(Reason.CONTENT_TOO_LARGE, 413);
        statuses.put(Reason.URI_TOO_LONG, 414);
        statuses.put(Reason.UNSUPPORTED_MEDIA_TYPE, 415);
        statuses.put(Reason.HEADERS_TOO_LARGE, 431);
        statuses.put(Reason.REFUSED, 502);
        statuses.put(Reason.ACCESS_DENIED, 502);
        statuses.put(Reason.SCHEMA_MISMATCH, 502);
        statuses.put(Reason.UNKNOWN_ERROR, 502);
        statuses.put(Reason.THROTTLED, 503);
        statuses.put(Reason.UNAVAILABLE, 503);
        statuses.put(Reason.OVERLOADED, 503);
        statuses.put(Reason.TIMED_OUT, 504);
        return statuses;
    }
}
