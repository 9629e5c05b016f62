package dev.windrow.writer.table;

import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/** A write failed, or its response was lost: it may have been applied. */
public final class WriteFailedException extends RequestFailedException {

    private static final long serialVersionUID = 1L;

    /** Stands for the throttled resource if the response does not name it. */
    static final String UNKNOWN_RESOURCE = "unknown";

    /** The position of a failure of the whole request. */
    static final int WHOLE = -1;

    private final int position;
    private final boolean forKey;
    private final String throttled;

    /** A failure of the whole request. */
    public WriteFailedException(Reason reason, String detail) {
        this(reason, detail, WHOLE);
    }

    /** @param position of the update that caused the failure, or {@link #WHOLE} */
    WriteFailedException(Reason reason, String detail, int position) {
        this(reason, detail, position, false, UNKNOWN_RESOURCE);
    }

    /**
     * @param forKey whether a single partition key was throttled, rather than the table or an index as a whole
     * @param throttled the name of the index, or {@link TableClient#TABLE}
     */
    WriteFailedException(Reason reason, String detail, int position, boolean forKey, String throttled) {
        super(reason, Sanitized.line(detail));
        this.position = position;
        this.forKey = forKey;
        this.throttled = throttled;
    }

    /** The throttled resource: the name of an index, {@link TableClient#TABLE}, or {@link #UNKNOWN_RESOURCE}. */
    String throttled() {
        return throttled;
    }

    boolean isForKey() {
        return forKey;
    }

    /** The position of the update that caused the failure, or {@link #WHOLE}. */
    int position() {
        return position;
    }

    /** A human-readable description of the failure. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether the same write may succeed soon; if not, waiting for it would only delay others. */
    boolean isRetryable() {
        return reason() != Reason.REFUSED && reason() != Reason.INTERNAL && !isDenied();
    }

    /** Whether the failure suggests an outage of the whole table, rather than load. */
    public boolean isOutage() {
        return reason() == Reason.UNAVAILABLE || reason() == Reason.TIMED_OUT || reason() == Reason.SCHEMA_MISMATCH;
    }

    /** Whether the write cannot succeed until an operator changes something, although others may. */
    public boolean isDenied() {
        return reason() == Reason.ACCESS_DENIED || reason() == Reason.UNKNOWN_ERROR;
    }
}
