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

    NOT_JSON(FailureCause.EVENT, "not-json", "the body is not JSON: one event, an array of events, or one per line"),
    INVALID_ENVELOPE(FailureCause.EVENT, "invalid-envelope", "an envelope or encoding from which no events can be read"),
    NOT_AN_OBJECT(FailureCause.EVENT, "not-an-object", "the event is JSON, but not an object"),
    MISSING_FIELD(FailureCause.EVENT, "missing-field", "a required field is absent or null"),
    WRONG_FIELD_TYPE(FailureCause.EVENT, "wrong-field-type", "a field has another JSON type than expected"),
    DUPLICATE_FIELD(FailureCause.EVENT, "duplicate-field", "a field that occurs twice in one JSON object"),
    UNKNOWN_EVENT_TYPE(FailureCause.EVENT, "unknown-event-type", "no dataset is declared for the event's type"),
    INVALID_TIME(FailureCause.EVENT, "invalid-time", "a time that is not RFC 3339 with a zone, or out of range"),
    INVALID_TENANT(FailureCause.EVENT, "invalid-tenant", "a tenant name with characters that are not allowed"),
    MISSING_LABEL(FailureCause.EVENT, "missing-label", "an attribute that makes up the label is absent or null"),
    WRONG_ATTRIBUTE_TYPE(FailureCause.EVENT, "wrong-attribute-type", "an attribute has another JSON type than its use expects"),
    NUMBER_OUT_OF_RANGE(FailureCause.EVENT, "number-out-of-range", "a number beyond DynamoDB's 38 digits or its magnitude"),
    KEY_TOO_LONG(FailureCause.EVENT, "key-too-long", "a label that exceeds DynamoDB's limits for keys"),
    INVALID_TEXT(FailureCause.EVENT, "invalid-text",
            "text that is not UTF-8, or has an unpaired surrogate, which UTF-8 cannot hold"),
    TIME_NOT_ACCEPTED(FailureCause.EVENT, "time-not-accepted", "a time further back or further ahead than the dataset accepts"),
    MESSAGE_TOO_LARGE(FailureCause.EVENT, "message-too-large", "a message whose events take more memory than one message may"),
    REDELIVERED_TOO_OFTEN(FailureCause.EVENT, "redelivered-too-often",
            "a message that was received more often than the maximum"),
    CLAIM_EXPIRED(FailureCause.EVENT, "claim-expired",
            "a message so old that its claim may have expired, so that it might count twice"),

    INVALID_DATASETS(FailureCause.DECLARATION, "invalid-datasets", "the dataset file is wrong"),
    INVALID_SETTING(FailureCause.DECLARATION, "invalid-setting", "a setting that is absent, wrong or contradicts another"),
    INVALID_API_KEYS(FailureCause.DECLARATION, "invalid-api-keys", "the file of API keys is wrong"),
    SCHEMA_MISMATCH(FailureCause.WORLD, "schema-mismatch", "the table has other keys, indexes or expiry than Windrow needs"),
    DATASETS_CHANGED(FailureCause.DECLARATION, "datasets-changed",
            "datasets that differ from those the table was written with"),

    UNAUTHENTICATED(FailureCause.QUERY, "unauthenticated", "no valid credential came with the request"),
    FORBIDDEN(FailureCause.QUERY, "forbidden", "the credential, or the lack of one, does not permit the request"),
    MISSING_PARAMETER(FailureCause.QUERY, "missing-parameter", "a required parameter is absent"),
    INVALID_PARAMETER(FailureCause.QUERY, "invalid-parameter", "a parameter's value is wrong"),
    UNKNOWN_PARAMETER(FailureCause.QUERY, "unknown-parameter", "a parameter that the operation does not know"),
    INVALID_CURSOR(FailureCause.QUERY, "invalid-cursor", "a cursor that this query did not return"),
    UNKNOWN_DATASET(FailureCause.QUERY, "unknown-dataset", "no such dataset"),
    NOT_FOUND(FailureCause.QUERY, "not-found", "no such resource"),
    METHOD_NOT_ALLOWED(FailureCause.QUERY, "method-not-allowed", "the resource does not know that method"),
    NOT_ACCEPTABLE(FailureCause.QUERY, "not-acceptable", "the resource has none of the accepted media types"),
    UNSUPPORTED_MEDIA_TYPE(FailureCause.QUERY, "unsupported-media-type",
            "the resource does not take a body of that media type"),
    RANGE_TOO_LONG(FailureCause.QUERY, "range-too-long", "more buckets, labels or values than one query may have"),
    RANGE_TOO_SHORT(FailureCause.QUERY, "range-too-short", "no whole bucket lies in the range"),
    ROUNDED(FailureCause.QUERY, "rounded", "bounds of the range lie within buckets"),
    EXPIRED(FailureCause.QUERY, "expired", "buckets of the range are no longer kept"),
    PRECONDITION_FAILED(FailureCause.QUERY, "precondition-failed", "a condition in the request's headers does not hold"),
    CONTENT_TOO_LARGE(FailureCause.QUERY, "content-too-large", "a body beyond the limit"),
    BAD_REQUEST(FailureCause.QUERY, "bad-request", "a malformed request"),

    THROTTLED(FailureCause.WORLD, "throttled", "DynamoDB or SQS throttled the request"),
    CONTENTION(FailureCause.WORLD, "contention", "another write of the same item was under way"),
    TIMED_OUT(FailureCause.WORLD, "timed-out", "no answer within the time allowed"),
    UNAVAILABLE(FailureCause.WORLD, "unavailable", "DynamoDB or SQS could not be reached, or failed"),
    ACCESS_DENIED(FailureCause.WORLD, "access-denied", "the service's role lacks a permission"),
    UNKNOWN_ERROR(FailureCause.WORLD, "unknown-error", "AWS rejected the request with an error that Windrow does not know"),
    REFUSED(FailureCause.WORLD, "refused", "DynamoDB or SQS permanently rejects the request; a retry cannot help"),
    LETTER_TOO_LARGE(FailureCause.WORLD, "letter-too-large",
            "a dead letter that the dead-letter queue cannot take, even in parts"),
    JOURNAL_UNREADABLE(FailureCause.WORLD, "journal-unreadable", "a record of the journal that this release cannot read"),
    LANE_ABANDONED(FailureCause.WORLD, "lane-abandoned", "a journal lane has claimed additions that no writer is applying"),
    OVERLOADED(FailureCause.WORLD, "overloaded", "the service is at its limit of concurrent work or memory"),
    INTERNAL(FailureCause.WORLD, "internal", "a fault of Windrow's own");

    private final FailureCause of;
    private final String word;
    private final String meaning;

    Reason(FailureCause of, String word, String meaning) {
        this.of = of;
        this.word = word;
        this.meaning = meaning;
    }

    /** Returns the reasons with one of these causes. */
    public static List<Reason> of(FailureCause... doing) {
        Set<FailureCause> wanted = Set.of(doing);
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
