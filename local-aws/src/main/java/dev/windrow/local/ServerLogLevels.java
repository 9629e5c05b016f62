package dev.windrow.local;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the servers' own log messages out of the logs of those who embed them, except warnings. */
final class ServerLogLevels {

    /** Held here, because java.util.logging drops the levels of loggers without a reference. */
    private static final Map<Logger, Level> LEVELS = Map.of(
            // It warns, with a stack trace, of each failed condition, which its client gets as an error anyway.
            Logger.getLogger("software.amazon.dynamodb.services.local"), Level.OFF,
            // A port in use is reported once, by the exception.
            Logger.getLogger("org.apache.pekko.io.TcpListener"), Level.OFF,
            Logger.getLogger("org.elasticmq.rest.sqs.TheSQSRestServerBuilder"), Level.OFF,
            // It warns of each unsupported attribute, such as retention.
            Logger.getLogger("org.elasticmq.rest.sqs"), Level.SEVERE,
            Logger.getLogger("org.eclipse.jetty"), Level.WARNING,
            Logger.getLogger("org.elasticmq"), Level.WARNING,
            Logger.getLogger("org.apache.pekko"), Level.WARNING,
            Logger.getLogger("scalikejdbc"), Level.WARNING);

    private ServerLogLevels() {
    }

    /** Leaves loggers alone whose level was chosen by the application. */
    static void apply() {
        LEVELS.forEach((logger, level) -> {
            if (logger.getLevel() == null) {
                logger.setLevel(level);
            }
        });
    }
}
