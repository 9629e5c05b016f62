package dev.windrow.gather.api.problem;

import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.context.ApplicationScoped;

import org.jboss.logging.Logger;

import dev.windrow.gather.fanout.GatherException;
import dev.windrow.reason.LoggedFailure;
import dev.windrow.reason.Reason;
import dev.windrow.reason.Sanitized;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;

/**
 * Logs and counts streams that are cut off: their headers have been sent, so no problem document can give the reason. A
 * client that leaves is none of these.
 */
@ApplicationScoped
public class AbortedStreams {

    private static final Logger LOG = Logger.getLogger(AbortedStreams.class);

    private final MeterRegistry metrics;

    AbortedStreams(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    /** The same stream; a failure before its first item is left to be reported as a problem. */
    public <T> Multi<T> noted(Multi<T> stream) {
        return Multi.createFrom().deferred(() -> {
            AtomicBoolean begun = new AtomicBoolean();
            return stream.onItem().invoke(item -> begun.set(true))
                    .onFailure(failure -> begun.get()).invoke(this::note);
        });
    }

    private void note(Throwable failure) {
        Reason reason = GatherException.reasonOf(failure);
        metrics.counter("windrow.gather.problems", "reason", reason.word()).increment();
        if (reason == Reason.INTERNAL) {
            LOG.errorf(LoggedFailure.of(failure), "reason=%s a stream was cut off", reason.word());
        } else {
            LOG.warnf("reason=%s a stream was cut off: %s", reason.word(), Sanitized.line(failure.getMessage()));
        }
    }
}
