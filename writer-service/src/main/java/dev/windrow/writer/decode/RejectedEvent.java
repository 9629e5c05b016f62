package dev.windrow.writer.decode;

import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * An event that cannot be counted.
 *
 * @param index its position in the message from 0, or {@link #WHOLE}; in a body of lines, the number of the line
 * @param field the invalid field, such as {@code attributes.bytes}
 * @param detail what was expected there
 * @param text the event as sent; empty for the message as a whole
 */
public record RejectedEvent(int index, Reason reason, String field, String detail, String text) {

    /** Sanitizes field and detail, which may hold the producer's input and are logged. */
    public RejectedEvent {
        field = Sanitized.line(field);
        detail = Sanitized.line(detail);
    }

    /** Index of a rejection of the whole message, none of whose events counts. */
    public static final int WHOLE = -1;

    /** Marks a valid event that no dataset counts. */
    public static final RejectedEvent EXCLUDED = new RejectedEvent(WHOLE, Reason.UNKNOWN_EVENT_TYPE, "type",
            "expected an event that some dataset counts");

    /** Creates a rejection whose text is added later. */
    public RejectedEvent(int index, Reason reason, String field, String detail) {
        this(index, reason, field, detail, "");
    }

    RejectedEvent withField(String other) {
        return new RejectedEvent(index, reason, other, detail, text);
    }

    RejectedEvent withDetail(String other) {
        return new RejectedEvent(index, reason, field, other, text);
    }

    RejectedEvent withText(String eventText) {
        return new RejectedEvent(index, reason, field, detail, eventText);
    }

    /** Returns field and detail as one clause. */
    public String explanation() {
        return field + ": " + detail;
    }
}
