package dev.windrow.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the log of a class until this is closed. Thread-safe. */
public final class LogLines implements AutoCloseable {

    private final List<String> all = new CopyOnWriteArrayList<>();
    private final Handler handler;
    private final Logger category;

    private LogLines(Logger category, Function<LogRecord, String> form) {
        this.category = category;
        this.handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                all.add(form.apply(entry));
            }

            @Override
            public void flush() {
                // Nothing is buffered.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        category.addHandler(handler);
    }

    /**
     * Starts to capture a logger.
     *
     * @param category the logger of the class under test: the JDK's, or the one of JBoss LogManager's own context, which
     *        differs if the JDK's log manager was in use before
     */
    public static LogLines of(Logger category) {
        return of(category, entry -> entry.getLevel().getName() + " " + entry.getMessage());
    }

    /** The same with a custom form of each record, instead of its level and text. */
    public static LogLines of(Logger category, Function<LogRecord, String> form) {
        return new LogLines(category, form);
    }

    public List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        category.removeHandler(handler);
    }
}
