package dev.windrow.gather.api.problem;

import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.fanout.GatherException;
import io.smallrye.mutiny.Multi;

/**
 * Logs and counts streams that are cut off: their headers have been sent, so no problem document can give the reason. A
 * client that disconnects is not a failure.
 */
@ApplicationScoped
public class AbortedStreams {

    private static final StructuredLogger LOG = StructuredLogger.of(AbortedStreams.class);

    private final Problems problems;

    AbortedStreams(Problems problems) {
        this.problems = problems;
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
        problems.count(reason.word());
        if (reason == Reason.INTERNAL) {
            LOG.error(failure, "stream aborted, its client sees an incomplete response", LogKey.REASON.of(reason.word()));
        } else {
            LOG.warn("stream aborted, its client sees an incomplete response", LogKey.REASON.of(reason.word()),
                    LogKey.ERROR.of(failure.getMessage()));
        }
    }
}
