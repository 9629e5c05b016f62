package dev.windrow.gather.api;

import java.net.URI;

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
 * @param detail what is wrong with this request, for people
 * @param instance the path asked for
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
        @Schema(examples = "/api/v1/datasets/clicks/buckets") URI instance,
        @Schema(description = "The parameter that is wrong, if one is.", examples = "limit") @Nullable String parameter) {

    /** The media type of RFC 9457. */
    public static final String MEDIA_TYPE = "application/problem+json";

    static final String PATH = "/api/v1/problems/";

    static Problem of(Reason reason, String detail, URI instance, @Nullable String parameter) {
        return new Problem(URI.create(PATH + reason.word()), reason.meaning(), status(reason), detail, instance, parameter);
    }

    /** The HTTP status of a reason. */
    static int status(Reason reason) {
        return switch (reason) {
            case NOT_JSON, NOT_AN_OBJECT, MISSING_FIELD, WRONG_FIELD_TYPE, UNKNOWN_FIELD, UNKNOWN_EVENT_TYPE, INVALID_TIME,
                    INVALID_TENANT, MISSING_LABEL, WRONG_ATTRIBUTE_TYPE, NUMBER_OUT_OF_RANGE, KEY_TOO_LONG, INVALID_TEXT,
                    MISSING_PARAMETER, INVALID_PARAMETER, UNKNOWN_PARAMETER, INVALID_CURSOR ->
                400;
            case UNKNOWN_DATASET, NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case NOT_ACCEPTABLE -> 406;
            case INVALID_DATASETS, INTERNAL -> 500;
            case REFUSED -> 502;
            case THROTTLED, UNAVAILABLE, OVERLOADED -> 503;
            case TIMED_OUT -> 504;
        };
    }
}
