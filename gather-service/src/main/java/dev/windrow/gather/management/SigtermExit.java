package dev.windrow.gather.management;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.TerminationSignal;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;

/** Ends the process with exit code 0 at SIGTERM, after the requests under way. */
@ApplicationScoped
class SigtermExit {

    /** Not in tests and live coding, whose JVM is not ours to end. */
    void start(@Observes StartupEvent event) {
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            TerminationSignal.handle(() -> Quarkus.asyncExit(0));
        }
    }
}
