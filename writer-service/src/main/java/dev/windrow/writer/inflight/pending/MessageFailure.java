package dev.windrow.writer.inflight.pending;

import dev.windrow.base.Reason;

/**
 * Why a message could not be counted.
 *
 * @param reason {@link Reason#REFUSED} if it never can be
 * @param detail human-readable explanation
 */
public record MessageFailure(Reason reason, String detail) {

    /** Whether no retry can help. */
    public boolean isFinal() {
        return reason == Reason.REFUSED;
    }
}
