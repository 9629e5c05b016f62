package dev.windrow.writer.decode;

import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * An event that cannot be counted.
 *
 * @param index its position in the message from 0, or {@link #WHOLE}; on lines, the number of the line
 * @param reason why
 * @param field the field that is wrong, such as {@code attributes.bytes}
 * @param detail what was expected there
 * @param text the event as sent; empty for the message as a whole
 */
public record RejectedEvent(int index, Reason reason, String field, String detail, String text) {

    /** Field and detail may hold what the producer wrote, and are logged. */
    public RejectedEvent {
        field = Sanitized.line(field);
        detail = Sanitized.line(detail);
    }

    /** The index that stands for the message as a whole, none of whose events counts. */
    public static final int WHOLE = -1;

    /** A rejection whose text is not cut out yet. */
    public RejectedEvent(int index, Reason reason, String field, String detail) {
        this(index, reason, field, detail, "");
    }

    /** The rejection of a message as a whole. */
    public static RejectedEvent whole(Reason reason, String field, String detail) {
        return new RejectedEvent(WHOLE, reason, field, detail);
    }

    RejectedEvent withText(String eventText) {
        return new RejectedEvent(index, reason, field, detail, eventText);
    }

    /** Field and detail as one clause. */
    public String explanation() {
        return field + ": " + detail;
    }
}
