package dev.windrow.writer.decode;

import dev.windrow.base.Reason;

/** A message none of whose events can be counted. It has no stack trace: it says what is wrong with data. */
public final class MessageRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient RejectedEvent rejection;

    /** @see RejectedEvent */
    public MessageRejectedException(Reason reason, String field, String detail) {
        super(field + ": " + detail, null, false, false);
        this.rejection = RejectedEvent.whole(reason, field, detail);
    }

    RejectedEvent rejection() {
        return rejection;
    }
}
