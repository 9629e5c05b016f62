package dev.windrow.writer.store;

import dev.windrow.reason.Reason;

/** A write that failed, or whose answer was lost: it may have been applied. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Without a stack trace: it tells of the table, not of the program, and comes in storms. */
    public WriteFailedException(Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** What went wrong, for people. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether the same write may succeed later. */
    public boolean isRetryable() {
        return reason != Reason.REFUSED && reason != Reason.INTERNAL;
    }

    /** Whether the table seems to be out of order, rather than busy. */
    public boolean isOutage() {
        return reason == Reason.UNAVAILABLE || reason == Reason.TIMED_OUT;
    }
}
