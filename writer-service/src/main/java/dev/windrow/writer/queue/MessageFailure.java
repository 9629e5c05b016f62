package dev.windrow.writer.queue;

import dev.windrow.base.Reason;

/** Why a message could not be counted; {@link Reason#REFUSED} means that it never can be. */
public record MessageFailure(Reason reason, String detail) {

    /** Whether no retry can help. */
    boolean isFinal() {
        return reason == Reason.REFUSED;
    }
}
