package dev.windrow.writer.process;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;

/** The embedded servers of a test class, without a log line for each request. */
final class Servers {

    /** Held, so that their levels are not forgotten with them. */
    private static final List<Logger> QUIET = List.of(Logger.getLogger("com.amazonaws"),
            Logger.getLogger("org.elasticmq"), Logger.getLogger("org.apache.pekko"));

    private Servers() {
    }

    static LocalAws start() {
        QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
        return LocalAws.start(LocalAwsOptions.forTests());
    }
}
