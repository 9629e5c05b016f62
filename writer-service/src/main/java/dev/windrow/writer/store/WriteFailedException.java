package dev.windrow.writer.store;

import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/** A write that failed, or whose answer was lost: it may have been applied. */
public final class WriteFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The position that stands for the request as a whole. */
    static final int WHOLE = -1;

    private final Reason reason;
    private final int position;
    private final Throttling throttling;

    /** What was throttled. */
    enum Throttling {
        /** A partition key of table or index. */
        KEY,
        /** The table, an index or the account as a whole. */
        WHOLE,
        /** The response does not say, or it was not throttled at all. */
        UNKNOWN
    }

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
        this(reason, detail, position, Throttling.UNKNOWN);
    }

    WriteFailedException(Reason reason, String detail, int position, Throttling throttling) {
        super(Sanitized.line(detail), null, false, false);
        this.reason = reason;
        this.position = position;
        this.throttling = throttling;
    }

    Throttling throttling() {
        return throttling;
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
