package dev.windrow.gather.read;

import dev.windrow.base.Reason;

/** The failure of a query through no fault of the client. */
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

    /**
     * The message for clients. Messages of other libraries' exceptions go to the log only: an AWS error may name the account,
     * the role and hosts.
     */
    public String publicMessage() {
        Throwable cause = getCause();
        if (cause instanceof GatherException known) {
            return known.publicMessage();
        }
        return cause == null ? String.valueOf(getMessage()) : reason.meaning();
    }

    public Reason reason() {
        return reason;
    }

    /** The reason of any failure: {@link Reason#INTERNAL} unless it carries one. */
    public static Reason reasonOf(Throwable failure) {
        return failure instanceof GatherException known ? known.reason() : Reason.INTERNAL;
    }
}
