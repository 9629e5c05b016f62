package dev.windrow.gather.http;

import java.net.URI;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Reason;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A problem document of RFC 9457.
 *
 * @param type URL that explains the reason; its last segment is the reason's stable word
 * @param detail human-readable explanation of what is wrong with this request
 * @param instance the path of the request; absent if it is not a valid path
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

    public static final String MEDIA_TYPE = "application/problem+json";

    /** The path under which each reason is explained by its word. */
    public static final String TYPES = "/api/v1/problems/";

    /** Returns the HTTP status of a reason; 500 for reasons that a request should never cause. */
    public static int status(Reason reason) {
        return switch (reason) {
            case INVALID_TIME, INVALID_TENANT, KEY_TOO_LONG, INVALID_TEXT, NUMBER_OUT_OF_RANGE -> 400;
            case MISSING_PARAMETER, INVALID_PARAMETER, UNKNOWN_PARAMETER, INVALID_CURSOR, RANGE_TOO_LONG,
                    RANGE_TOO_SHORT ->
                400;
            case BAD_REQUEST, NOT_JSON, NOT_AN_OBJECT, WRONG_FIELD_TYPE -> 400;
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN -> 403;
            case UNKNOWN_DATASET, NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case NOT_ACCEPTABLE -> 406;
            case PRECONDITION_FAILED -> 412;
            case CONTENT_TOO_LARGE -> 413;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case REFUSED, ACCESS_DENIED, SCHEMA_MISMATCH, UNKNOWN_ERROR -> 502;
            case THROTTLED, UNAVAILABLE, OVERLOADED -> 503;
            case TIMED_OUT -> 504;
            default -> 500;
        };
    }

    /** Returns the reason of an error of which only the HTTP status is known. */
    public static Reason reason(int status) {
        return Stream.of(Reason.UNAUTHENTICATED, Reason.FORBIDDEN, Reason.NOT_FOUND, Reason.METHOD_NOT_ALLOWED,
                Reason.NOT_ACCEPTABLE, Reason.PRECONDITION_FAILED, Reason.CONTENT_TOO_LARGE, Reason.UNSUPPORTED_MEDIA_TYPE,
                Reason.OVERLOADED).filter(reason -> status(reason) == status).findFirst()
                .orElse(status >= 400 && status < 500 ? Reason.BAD_REQUEST : Reason.INTERNAL);
    }

}
