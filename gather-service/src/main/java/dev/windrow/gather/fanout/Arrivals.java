package dev.windrow.gather.fanout;

import java.util.concurrent.atomic.AtomicInteger;

import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Waits for several reads: ends once the last of them has its outcome, the first has failed, or the time is over. Whatever
 * happens at the same time, it ends once, and not before all reads were added: what follows must not run beside that.
 * Thread-safe.
 */
final class Arrivals {

    private final UniEmitter<? super Boolean> emitter;
    private final boolean failFast;
    /** One is for the caller that adds them. */
    private final AtomicInteger missing = new AtomicInteger(1);
    private volatile boolean allAdded;
    private volatile boolean failed;
    private volatile boolean timeOver;

    /**
     * @param emitter is given whether the reads came in time
     * @param failFast whether to end with the first failure, as nothing that follows can mend it
     */
    Arrivals(UniEmitter<? super Boolean> emitter, boolean failFast) {
        this.emitter = emitter;
        this.failFast = failFast;
    }

    /** Adds a read to those that are waited for. */
    void add(PendingRead read) {
        missing.incrementAndGet();
        read.onOutcome(this);
    }

    /** All reads were added. */
    void allAdded() {
        allAdded = true;
        countDown();
    }

    /** A read has its outcome. */
    void arrived(boolean withFailure) {
        if (withFailure && failFast) {
            failed = true;
        }
        countDown();
    }

    /** The time for the wait is over. */
    void expire() {
        timeOver = true;
        endEarly();
    }

    private void countDown() {
        if (missing.decrementAndGet() == 0) {
            emitter.complete(true);
        } else {
            endEarly();
        }
    }

    private void endEarly() {
        if (allAdded && (failed || timeOver)) {
            emitter.complete(!timeOver);
        }
    }
}
