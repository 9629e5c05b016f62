package dev.windrow.writer.inflight;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.inflight.pending.VisibilityDeadlines;
import io.smallrye.mutiny.Uni;

/** Visibility heartbeat: extends the visibility timeout of messages while they wait in memory. Thread-safe. */
public final class VisibilityHeartbeat {

    /** How long a stop waits for extensions in flight. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final VisibilityDeadlines deadlines;
    private final InFlightLimiter limiter;
    private final Acknowledger acknowledger;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean stopped;

    public VisibilityHeartbeat(VisibilityDeadlines deadlines, InFlightLimiter limiter, Acknowledger acknowledger) {
        this.deadlines = deadlines;
        this.limiter = limiter;
        this.acknowledger = acknowledger;
    }

    /**
     * Extends the timeouts that are due. No receive starts while extensions do not succeed in time: further messages would
     * be redelivered before they are done as well. To be called several times per timeout.
     */
    public void beat() {
        if (stopped) {
            return;
        }
        List<PendingMessage> due = deadlines.takeDue();
        limiter.close(deadlines.isLate());
        limiter.look();
        for (PendingMessage pending : due) {
            underWay.incrementAndGet();
            acknowledger.extend(pending.message(), () -> !stopped && deadlines.needsExtension(pending)).subscribe()
                    .with(extended -> {
                        deadlines.extended(pending);
                        underWay.decrementAndGet();
                    });
        }
    }

    /** Stops extending; completes once no extension is in flight, or after a timeout. */
    Uni<Void> stop() {
        return Uni.createFrom().deferred(() -> {
            stopped = true;
            return Polling.until(() -> underWay.get() == 0)
                    .ifNoItem().after(STOP_TIMEOUT).recoverWithUni(Uni.createFrom().voidItem());
        });
    }
}
