package dev.windrow.writer.decode;

import dev.windrow.reason.Quoted;
import dev.windrow.reason.Reason;

/**
 * An event that cannot be counted.
 *
 * @param index its position in the message from 0, or {@link #WHOLE}; on lines, the number of the line
 * @param reason why
 * @param field the field that is wrong, such as {@code attributes.bytes}
 * @param detail what was expected there
 * @param text the event as it was sent; empty for the message as a whole
 */
public record Rejection(int index, Reason reason, String field, String detail, String text) {

    /** Field and detail may hold what the producer wrote, and are logged. */
    public Rejection {
        field = Quoted.line(field);
        detail = Quoted.line(detail);
    }

    /** The index that stands for the message as a whole, none of whose events counts. */
    public static final int WHOLE = -1;

    /** A rejection whose text is not cut out yet. */
    public Rejection(int index, Reason reason, String field, String detail) {
        this(index, reason, field, detail, "");
    }

    /** The rejection of a message as a whole. */
    public static Rejection whole(Reason reason, String field, String detail) {
        return new Rejection(WHOLE, reason, field, detail);
    }

    Rejection withText(String eventText) {
        return new Rejection(index, reason, field, detail, eventText);
    }

    /** Field and detail as one clause. */
    public String explanation() {
        return field + ": " + detail;
    }
}
