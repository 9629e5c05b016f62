package dev.windrow.writer.decode;

import dev.windrow.reason.Reason;

/**
 * An event that cannot be counted.
 *
 * @param index its position in the message from 0, or {@link #WHOLE}
 * @param reason why
 * @param field the field that is wrong, such as {@code attributes.bytes}
 * @param detail what was expected there
 */
public record Rejection(int index, Reason reason, String field, String detail) {

    /** The index that stands for the message as a whole, none of whose events counts. */
    public static final int WHOLE = -1;

    /** Field and detail as one clause. */
    public String explanation() {
        return field + ": " + detail;
    }
}
