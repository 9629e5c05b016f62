package dev.windrow.writer.store;

import dev.windrow.reason.Reason;
import dev.windrow.reason.Sanitized;

/** A write that failed, or whose answer was lost: it may have been applied. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The position that stands for the request as a whole. */
    static final int WHOLE = -1;

    private final Reason reason;
    private final int position;

    /** Of a request as a whole. */
    public WriteFailedException(Reason reason, String detail) {
        this(reason, detail, WHOLE);
    }

    /**
     * Without a stack trace: the fault is in the table, not in the program, and failures come in storms.
     *
     * @param position of the update that is to blame, or {@link #WHOLE}
     */
    WriteFailedException(Reason reason, String detail, int position) {
        super(Sanitized.line(detail), null, false, false);
        this.reason = reason;
        this.position = position;
    }

    /** The position of the update that is to blame, or {@link #WHOLE}. */
    int position() {
        return position;
    }

    public Reason reason() {
        return reason;
    }

    /** What went wrong, human-readable. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether the same write may succeed soon: if not, waiting for it would only delay others. */
    public boolean isRetryable() {
        return reason != Reason.REFUSED && reason != Reason.INTERNAL && !isDenied();
    }

    /** Whether the whole table seems to fail, rather than to be busy. */
    public boolean isOutage() {
        return reason == Reason.UNAVAILABLE || reason == Reason.TIMED_OUT || reason == Reason.SCHEMA_MISMATCH;
    }

    /** Whether the table refuses the write until an operator changes something, but may accept others. */
    public boolean isDenied() {
        return reason == Reason.ACCESS_DENIED || reason == Reason.UNKNOWN_ERROR;
    }
}
