package dev.windrow.gather.fanout;

import dev.windrow.reason.Reason;

/** A query failed for no fault of the client's. */
public final class GatherException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public GatherException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public GatherException(Reason reason, Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause, false, false);
        this.reason = reason;
    }

    /** The cause's one word. */
    public Reason reason() {
        return reason;
    }

    /** The reason of any failure: {@link Reason#INTERNAL} unless it carries one. */
    public static Reason reasonOf(Throwable failure) {
        return failure instanceof GatherException known ? known.reason() : Reason.INTERNAL;
    }
}
