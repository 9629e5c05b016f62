package dev.windrow.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs until this is closed. Thread-safe. */
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
                // Nothing is kept back.
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        category.addHandler(handler);
    }

    /**
     * Starts to listen to a logger.
     *
     * @param category the one that the class under test logs to: of the JDK, or of JBoss LogManager's own context, which is
     *        another one if the JDK's log manager was in use before
     */
    public static LogLines of(Logger category) {
        return of(category, entry -> entry.getLevel().getName() + " " + entry.getMessage());
    }

    /** The same, with each record in another form than its level and text. */
    public static LogLines of(Logger category, Function<LogRecord, String> form) {
        return new LogLines(category, form);
    }

    /** The records so far. */
    public List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        category.removeHandler(handler);
    }
}
