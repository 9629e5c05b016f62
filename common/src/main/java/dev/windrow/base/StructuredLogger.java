package dev.windrow.base;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/**
 * Logs messages with fields. Each field is in the human-readable message as {@code key=value}, and in the record's mapped
 * diagnostic context (MDC) while it is written, which JSON formats show as fields of the object {@code mdc}.
 * <p>
 * Levels: ERROR needs human attention, and has a stack trace if it is a bug in Windrow; WARN is a failure that is retried or
 * reported elsewhere, and says what happens next; INFO is the service lifecycle, dead letters and requests; DEBUG is the rest.
 */
public record StructuredLogger(Logger logger) {

    private static final String CALLER = StructuredLogger.class.getName();

    public static StructuredLogger of(Class<?> type) {
        return new StructuredLogger(Logger.getLogger(type));
    }

    public static StructuredLogger named(String category) {
        return new StructuredLogger(Logger.getLogger(category));
    }

    /** Logs a failure that needs human attention. */
    public void error(String message, LogField... fields) {
        log(Logger.Level.ERROR, null, message, fields);
    }

    /** Logs a failure that needs human attention, with its stack trace. */
    public void error(Throwable failure, String message, LogField... fields) {
        log(Logger.Level.ERROR, failure, message, fields);
    }

    /** Logs a failure that is retried or reported elsewhere. */
    public void warn(String message, LogField... fields) {
        log(Logger.Level.WARN, null, message, fields);
    }

    /** Logs the service lifecycle, dead letters and requests. */
    public void info(String message, LogField... fields) {
        log(Logger.Level.INFO, null, message, fields);
    }

    /** Logs details for debugging. */
    public void debug(Throwable failure, String message, LogField... fields) {
        log(Logger.Level.DEBUG, failure, message, fields);
    }

    private void log(Logger.Level level, @Nullable Throwable failure, String message, LogField... fields) {
        if (!logger.isEnabled(level)) {
            return;
        }
        for (LogField field : fields) {
            MDC.put(field.key().word(), field.value());
        }
        try {
            logger.log(CALLER, level, text(message, fields), null, LoggedFailure.of(failure));
        } finally {
            for (LogField field : fields) {
                MDC.remove(field.key().word());
            }
        }
    }

    private static String text(String message, LogField... fields) {
        return fields.length == 0 ? message
                : message + Arrays.stream(fields).map(LogField::toString).collect(Collectors.joining(" ", ": ", ""));
    }

    /**
     * A failure that is safe to log: its stack traces are unchanged, and each message, which may contain input, is cut to one
     * line.
     */
    public static final class LoggedFailure extends Throwable {

        private static final long serialVersionUID = 1L;
        private static final int MAX_CAUSES = 8;

        private LoggedFailure(Throwable failure, int causes) {
            super(Sanitized.line(failure), failure.getCause() == null || causes == 0
                    ? null
                    : new LoggedFailure(failure.getCause(), causes - 1), false, true);
            setStackTrace(failure.getStackTrace());
        }

        /** Returns the failure for a logger; null stays null. */
        public static @Nullable Throwable of(@Nullable Throwable failure) {
            return failure == null ? null : new LoggedFailure(failure, MAX_CAUSES);
        }

        /** The class and message of the original failure. */
        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

}
