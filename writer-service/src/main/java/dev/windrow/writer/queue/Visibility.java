package dev.windrow.writer.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.smallrye.mutiny.Uni;

/** Visibility heartbeat: extends the visibility timeout of messages while they wait in memory. Thread-safe. */
public final class Visibility {

    /** How long a stop waits for extensions in flight. */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final VisibilityDeadlines deadlines;
    private final InFlightLimiter limiter;
    private final Acknowledger acknowledger;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean stopped;

    public Visibility(VisibilityDeadlines deadlines, InFlightLimiter limiter, Acknowledger acknowledger) {
        this.deadlines = deadlines;
        this.limiter = limiter;
        this.acknowledger = acknowledger;
    }

    /**
     * Extends the timeouts that are due. Stops receives while extensions are late: further messages would also be redelivered
     * before they are done. Must be called several times per timeout.
     */
    public void beat() {
        if (stopped) {
            return;
        }
        List<PendingMessage> due = deadlines.takeDue();
        limiter.close(deadlines.isLate());
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
            return MessageCompletion.until(() -> underWay.get() == 0)
                    .ifNoItem().after(STOP_TIMEOUT).recoverWithUni(Uni.createFrom().voidItem());
        });
    }

}
