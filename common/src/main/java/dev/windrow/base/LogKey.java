package dev.windrow.base;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** All keys of log fields. docs/operations.md lists them with these meanings. */
public enum LogKey {

    REASON("why it failed, a word of `Reason`: the same as in metrics, problems and dead letters"),
    ERROR("message of the failure", LogKey.TEXT_LENGTH),
    PROBLEM("why the process does not start, in full", LogKey.PROBLEM_LENGTH),
    DETAIL("the field, what was expected and what was found", LogKey.TEXT_LENGTH),
    TABLE("name of the DynamoDB table"),
    QUEUE("name of the queue"),
    QUEUES("names of the queues received from", LogKey.TEXT_LENGTH),
    DEAD_LETTER_QUEUE("name or URL of the dead-letter queue"),
    DATASETS("number of datasets"),
    CHANGES("how the datasets differ from those the table was last written with", LogKey.TEXT_LENGTH),
    MESSAGE_ID("SQS's id of the message"),
    EVENT("position of the event in its message, from 0; -1 for the whole message"),
    MESSAGES("number of messages"),
    OPERATION("what was requested of SQS, such as `delete`"),
    STATUS("status of the HTTP response"),
    METHOD("method of the HTTP request"),
    PATH("path of the HTTP request, without its query"),
    REMOTE("address of the client"),
    BYTES("bytes of the response's body"),
    DURATION_MS("milliseconds from request to end of response"),
    REQUEST_ID("`X-Request-Id` of request and response");

    private static final int NAME_LENGTH = 200;
    private static final int TEXT_LENGTH = 1_000;
    private static final int PROBLEM_LENGTH = 10_000;

    private final String meaning;
    private final int maxLength;

    LogKey(String meaning) {
        this(meaning, NAME_LENGTH);
    }

    LogKey(String meaning, int maxLength) {
        this.meaning = meaning;
        this.maxLength = maxLength;
    }

    /** The key in the log: its name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A description of the field, as Markdown. */
    public String meaning() {
        return meaning;
    }

    /**
     * Creates a field with this key.
     *
     * @param value may contain input: it is put on one line and cut to 200 characters, texts to 1,000, a problem to 10,000
     */
    public LogField of(@Nullable Object value) {
        return new LogField(this, Sanitized.line(value, maxLength));
    }
}
