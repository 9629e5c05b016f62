package dev.windrow.local;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the servers' own news out of the logs of those who embed them; warnings stay. */
final class QuietLogs {

    /** Held here, because java.util.logging forgets the levels of loggers that nobody holds. */
    private static final List<Logger> NOISY = List.of(
            Logger.getLogger("org.eclipse.jetty"),
            Logger.getLogger("org.elasticmq"),
            Logger.getLogger("org.apache.pekko"),
            Logger.getLogger("scalikejdbc"));

    private QuietLogs() {
    }

    /** Leaves loggers alone whose level was chosen by the application. */
    static void apply() {
        NOISY.stream().filter(logger -> logger.getLevel() == null).forEach(logger -> logger.setLevel(Level.WARNING));
    }
}
