package dev.windrow.local;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the servers' own news out of the logs of those who embed them; warnings stay. */
final class ServerLogLevels {

    /** Held here, because java.util.logging forgets the levels of loggers that nobody holds. */
    private static final Map<Logger, Level> LEVELS = Map.of(
            // It warns, with a stack trace, of each condition that does not hold: its client is told that anyway.
            Logger.getLogger("software.amazon.dynamodb.services.local"), Level.OFF,
            // A port that is taken is told once, by the exception.
            Logger.getLogger("org.apache.pekko.io.TcpListener"), Level.OFF,
            Logger.getLogger("org.elasticmq.rest.sqs.TheSQSRestServerBuilder"), Level.OFF,
            // It warns of each attribute that it does not have, such as retention.
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
