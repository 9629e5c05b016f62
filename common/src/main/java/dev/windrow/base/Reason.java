package dev.windrow.base;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why something failed. {@link #word()} is the only spelling: the value of the log key {@code reason}, the metric tag
 * {@code reason}, the last path segment of a problem's {@code type} and the dead letter's attribute alike. Words are a
 * public contract: they may be added, never changed.
 */
public enum Reason {

    // events: the producer's doing, never retried
    NOT_JSON("not-json", "the body is not JSON: one event, an array of events, or one per line"),
    INVALID_ENVELOPE("invalid-envelope", "an envelope or encoding from which no events can be read"),
    NOT_AN_OBJECT("not-an-object", "the event is JSON, but not an object"),
    MISSING_FIELD("missing-field", "a required field is absent or null"),
    WRONG_FIELD_TYPE("wrong-field-type", "a field has another JSON type than expected"),
    DUPLICATE_FIELD("duplicate-field", "a field that occurs twice in one JSON object"),
    UNKNOWN_EVENT_TYPE("unknown-event-type", "no dataset is declared for the event's type"),
    INVALID_TIME("invalid-time", "a time that is not RFC 3339 with a zone, or out of range"),
    INVALID_TENANT("invalid-tenant", "a tenant name with characters that are not allowed"),
    MISSING_LABEL("missing-label", "an attribute that makes up the label is absent or null"),
    WRONG_ATTRIBUTE_TYPE("wrong-attribute-type", "an attribute has another JSON type than its use expects"),
    NUMBER_OUT_OF_RANGE("number-out-of-range", "a number beyond DynamoDB's 38 digits or its magnitude"),
    KEY_TOO_LONG("key-too-long", "a label that exceeds DynamoDB's limits for keys"),
    INVALID_TEXT("invalid-text", "text that is not UTF-8, or has an unpaired surrogate, which UTF-8 cannot hold"),
    TIME_NOT_ACCEPTED("time-not-accepted", "a time further back or further ahead than the dataset accepts"),
    MESSAGE_TOO_LARGE("message-too-large", "a message whose events take more memory than one message may"),
    REDELIVERED_TOO_OFTEN("redelivered-too-often", "a message that was received more often than the maximum"),
    CLAIM_EXPIRED("claim-expired", "a message so old that its claim may have expired, so that it might count twice"),

    // declarations: the operator's doing, stop the service at start
    INVALID_DATASETS("invalid-datasets", "the dataset file is wrong"),
    INVALID_SETTING("invalid-setting", "a setting that is absent, wrong or contradicts another"),
    INVALID_API_KEYS("invalid-api-keys", "the file of API keys is wrong"),
    SCHEMA_MISMATCH("schema-mismatch", "the table has other keys, indexes or expiry than Windrow needs"),
    DATASETS_CHANGED("datasets-changed", "datasets that differ from those the table was written with"),

    // queries: the client's doing
    UNAUTHENTICATED("unauthenticated", "no valid credential came with the request"),
    FORBIDDEN("forbidden", "the credential, or the lack of one, does not permit the request"),
    MISSING_PARAMETER("missing-parameter", "a required parameter is absent"),
    INVALID_PARAMETER("invalid-parameter", "a parameter's value is wrong"),
    UNKNOWN_PARAMETER("unknown-parameter", "a parameter that the operation does not know"),
    INVALID_CURSOR("invalid-cursor", "a cursor that this query did not return"),
    UNKNOWN_DATASET("unknown-dataset", "no such dataset"),
    NOT_FOUND("not-found", "no such resource"),
    METHOD_NOT_ALLOWED("method-not-allowed", "the resource does not know that method"),
    NOT_ACCEPTABLE("not-acceptable", "the resource has none of the accepted media types"),
    UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", "the resource does not take a body of that media type"),
    RANGE_TOO_LONG("range-too-long", "more buckets, labels or values than one query may have"),
    PRECONDITION_FAILED("precondition-failed", "a condition in the request's headers does not hold"),
    CONTENT_TOO_LARGE("content-too-large", "a body beyond the limit"),
    URI_TOO_LONG("uri-too-long", "a path and query beyond the limit"),
    HEADERS_TOO_LARGE("headers-too-large", "headers beyond the limit"),
    BAD_REQUEST("bad-request", "a malformed request"),

    // the world: retried within bounds
    THROTTLED("throttled", "DynamoDB or SQS throttled the request"),
    CONTENTION("contention", "another write of the same item was under way"),
    TIMED_OUT("timed-out", "no answer within the time allowed"),
    UNAVAILABLE("unavailable", "DynamoDB or SQS could not be reached, or failed"),
    ACCESS_DENIED("access-denied", "the service's role lacks a permission"),
    UNKNOWN_ERROR("unknown-error", "AWS rejected the request with an error that Windrow does not know"),
    REFUSED("refused", "DynamoDB or SQS permanently rejects the request; a retry cannot help"),
    JOURNAL_UNREADABLE("journal-unreadable", "a record of the journal that this release cannot read"),
    LANE_ABANDONED("lane-abandoned", "a journal lane has claimed additions that no writer is applying"),
    OVERLOADED("overloaded", "the service is at its limit of concurrent work or memory"),
    INTERNAL("internal", "a fault of Windrow's own");

    private final String word;
    private final String meaning;

    Reason(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /** The reason with this word; empty if there is none. */
    public static Optional<Reason> ofWord(String word) {
        return Arrays.stream(values()).filter(reason -> reason.word.equals(word)).findFirst();
    }

    /** The stable word: lower case, hyphens, at most 24 characters. */
    public String word() {
        return word;
    }

    /** One clause for people, used as a problem's title and in the documentation. */
    public String meaning() {
        return meaning;
    }
}
