package dev.windrow.reason;

import org.jspecify.annotations.Nullable;

/**
 * A failure that is safe to log: stack traces are unchanged, and each message is truncated to one line. Messages of
 * failures often contain input.
 */
public final class LoggedFailure extends Throwable {

    private static final long serialVersionUID = 1L;
    private static final int MAX_CAUSES = 8;

    private LoggedFailure(Throwable failure, int causes) {
        super(Sanitized.line(failure), failure.getCause() == null || causes == 0
                ? null
                : new LoggedFailure(failure.getCause(), causes - 1), false, true);
        setStackTrace(failure.getStackTrace());
    }

    /** The failure, for a logger; null stays null. */
    public static @Nullable Throwable of(@Nullable Throwable failure) {
        return failure == null ? null : new LoggedFailure(failure, MAX_CAUSES);
    }

    /** The class and message of the original failure. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
