package dev.windrow.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs until this is closed. Thread-safe. */
public final class LogLines implements AutoCloseable {

    private final List<String> all = new CopyOnWriteArrayList<>();
    private final Handler handler = new Lines(all);
    private final Logger category;

    private LogLines(Logger category) {
        this.category = category;
        category.addHandler(handler);
    }

    /**
     * Starts to listen to a logger.
     *
     * @param category the one that the class under test logs to: of the JDK, or of JBoss LogManager's own context, which is
     *        another one if the JDK's log manager was in use before
     */
    public static LogLines of(Logger category) {
        return new LogLines(category);
    }

    /** The level and text of each record so far. */
    public List<String> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        category.removeHandler(handler);
    }

    private static final class Lines extends Handler {

        private final List<String> all;

        Lines(List<String> all) {
            this.all = all;
        }

        @Override
        public void publish(LogRecord entry) {
            all.add(entry.getLevel().getName() + " " + entry.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is kept back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
