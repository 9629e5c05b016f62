package dev.windrow.base;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Why something failed. {@link #word()} is the only spelling: it is the value of the log key {@code reason}, the metric tag
 * {@code reason}, the last path segment of a problem's {@code type} and the dead letter's attribute. Words are a public
 * contract: they may be added, but never changed.
 */
public enum Reason {

    NOT_JSON(Of.EVENT, "not-json", "the body is not JSON: one event, an array of events, or one per line"),
    INVALID_ENVELOPE(Of.EVENT, "invalid-envelope", "an envelope or encoding from which no events can be read"),
    NOT_AN_OBJECT(Of.EVENT, "not-an-object", "the event is JSON, but not an object"),
    MISSING_FIELD(Of.EVENT, "missing-field", "a required field is absent or null"),
    WRONG_FIELD_TYPE(Of.EVENT, "wrong-field-type", "a field has another JSON type than expected"),
    DUPLICATE_FIELD(Of.EVENT, "duplicate-field", "a field that occurs twice in one JSON object"),
    UNKNOWN_EVENT_TYPE(Of.EVENT, "unknown-event-type", "no dataset is declared for the event's type"),
    INVALID_TIME(Of.EVENT, "invalid-time", "a time that is not RFC 3339 with a zone, or out of range"),
    INVALID_TENANT(Of.EVENT, "invalid-tenant", "a tenant name with characters that are not allowed"),
    MISSING_LABEL(Of.EVENT, "missing-label", "an attribute that makes up the label is absent or null"),
    WRONG_ATTRIBUTE_TYPE(Of.EVENT, "wrong-attribute-type", "an attribute has another JSON type than its use expects"),
    NUMBER_OUT_OF_RANGE(Of.EVENT, "number-out-of-range", "a number beyond DynamoDB's 38 digits or its magnitude"),
    KEY_TOO_LONG(Of.EVENT, "key-too-long", "a label that exceeds DynamoDB's limits for keys"),
    INVALID_TEXT(Of.EVENT, "invalid-text", "text that is not UTF-8, or has an unpaired surrogate, which UTF-8 cannot hold"),
    TIME_NOT_ACCEPTED(Of.EVENT, "time-not-accepted", "a time further back or further ahead than the dataset accepts"),
    MESSAGE_TOO_LARGE(Of.EVENT, "message-too-large", "a message whose events take more memory than one message may"),
    REDELIVERED_TOO_OFTEN(Of.EVENT, "redelivered-too-often", "a message that was received more often than the maximum"),
    CLAIM_EXPIRED(Of.EVENT, "claim-expired", "a message so old that its claim may have expired, so that it might count twice"),

    INVALID_DATASETS(Of.DECLARATION, "invalid-datasets", "the dataset file is wrong"),
    INVALID_SETTING(Of.DECLARATION, "invalid-setting", "a setting that is absent, wrong or contradicts another"),
    INVALID_API_KEYS(Of.DECLARATION, "invalid-api-keys", "the file of API keys is wrong"),
    SCHEMA_MISMATCH(Of.WORLD, "schema-mismatch", "the table has other keys, indexes or expiry than Windrow needs"),
    DATASETS_CHANGED(Of.DECLARATION, "datasets-changed", "datasets that differ from those the table was written with"),

    UNAUTHENTICATED(Of.QUERY, "unauthenticated", "no valid credential came with the request"),
    FORBIDDEN(Of.QUERY, "forbidden", "the credential, or the lack of one, does not permit the request"),
    MISSING_PARAMETER(Of.QUERY, "missing-parameter", "a required parameter is absent"),
    INVALID_PARAMETER(Of.QUERY, "invalid-parameter", "a parameter's value is wrong"),
    UNKNOWN_PARAMETER(Of.QUERY, "unknown-parameter", "a parameter that the operation does not know"),
    INVALID_CURSOR(Of.QUERY, "invalid-cursor", "a cursor that this query did not return"),
    UNKNOWN_DATASET(Of.QUERY, "unknown-dataset", "no such dataset"),
    NOT_FOUND(Of.QUERY, "not-found", "no such resource"),
    METHOD_NOT_ALLOWED(Of.QUERY, "method-not-allowed", "the resource does not know that method"),
    NOT_ACCEPTABLE(Of.QUERY, "not-acceptable", "the resource has none of the accepted media types"),
    UNSUPPORTED_MEDIA_TYPE(Of.QUERY, "unsupported-media-type", "the resource does not take a body of that media type"),
    RANGE_TOO_LONG(Of.QUERY, "range-too-long", "more buckets, labels or values than one query may have"),
    RANGE_TOO_SHORT(Of.QUERY, "range-too-short", "no whole bucket lies in the range"),
    ROUNDED(Of.QUERY, "rounded", "bounds of the range lie within buckets"),
    EXPIRED(Of.QUERY, "expired", "buckets of the range are no longer kept"),
    PRECONDITION_FAILED(Of.QUERY, "precondition-failed", "a condition in the request's headers does not hold"),
    CONTENT_TOO_LARGE(Of.QUERY, "content-too-large", "a body beyond the limit"),
    BAD_REQUEST(Of.QUERY, "bad-request", "a malformed request"),

    THROTTLED(Of.WORLD, "throttled", "DynamoDB or SQS throttled the request"),
    CONTENTION(Of.WORLD, "contention", "another write of the same item was under way"),
    TIMED_OUT(Of.WORLD, "timed-out", "no answer within the time allowed"),
    UNAVAILABLE(Of.WORLD, "unavailable", "DynamoDB or SQS could not be reached, or failed"),
    ACCESS_DENIED(Of.WORLD, "access-denied", "the service's role lacks a permission"),
    UNKNOWN_ERROR(Of.WORLD, "unknown-error", "AWS rejected the request with an error that Windrow does not know"),
    REFUSED(Of.WORLD, "refused", "DynamoDB or SQS permanently rejects the request; a retry cannot help"),
    LETTER_TOO_LARGE(Of.WORLD, "letter-too-large", "a dead letter that the dead-letter queue cannot take, even in parts"),
    JOURNAL_UNREADABLE(Of.WORLD, "journal-unreadable", "a record of the journal that this release cannot read"),
    LANE_ABANDONED(Of.WORLD, "lane-abandoned", "a journal lane has claimed additions that no writer is applying"),
    OVERLOADED(Of.WORLD, "overloaded", "the service is at its limit of concurrent work or memory"),
    INTERNAL(Of.WORLD, "internal", "a fault of Windrow's own");

    private final Of of;
    private final String word;
    private final String meaning;

    Reason(Of of, String word, String meaning) {
        this.of = of;
        this.word = word;
        this.meaning = meaning;
    }

    /** Who caused the failure, which determines the services that can encounter it. */
    public enum Of {

        /** Caused by the producer, and never retried: only the writer reads events. */
        EVENT,
        /** Caused by the operator; stops the service at startup. */
        DECLARATION,
        /** Caused by the client: only the gatherer answers queries. */
        QUERY,
        /** Caused by the environment: retried within bounds. */
        WORLD
    }

    /** Returns the reasons with one of these causes. */
    public static List<Reason> of(Of... doing) {
        Set<Of> wanted = Set.of(doing);
        return Arrays.stream(values()).filter(reason -> wanted.contains(reason.of)).toList();
    }

    public static Optional<Reason> ofWord(String word) {
        return Arrays.stream(values()).filter(reason -> reason.word.equals(word)).findFirst();
    }

    /** The stable word: lower case with hyphens, at most 24 characters. */
    public String word() {
        return word;
    }

    /** A human-readable clause, used as a problem's title and in the documentation. */
    public String meaning() {
        return meaning;
    }
}
