package dev.windrow.gather.fanout;

import java.util.concurrent.atomic.AtomicInteger;

import io.smallrye.mutiny.subscription.UniEmitter;

/** Waits for several reads: completes once the last of them has its outcome, or the first has failed. Thread-safe. */
final class Arrivals {

    private final UniEmitter<? super Void> emitter;
    private final boolean failFast;
    /** One is for the caller that adds them. */
    private final AtomicInteger missing = new AtomicInteger(1);
    private volatile boolean allAdded;
    private volatile boolean failed;

    /** @param failFast whether to complete with the first failure, as nothing that follows can mend it */
    Arrivals(UniEmitter<? super Void> emitter, boolean failFast) {
        this.emitter = emitter;
        this.failFast = failFast;
    }

    /** Adds a read to those that are waited for. */
    void add(PendingRead read) {
        missing.incrementAndGet();
        read.onOutcome(this);
    }

    /** All reads were added; what follows an early failure must not run while they still are. */
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

    private void countDown() {
        if (missing.decrementAndGet() == 0 || (failed && allAdded)) {
            emitter.complete(null);
        }
    }
}
