package dev.windrow.gather.fanout;

import java.util.concurrent.atomic.AtomicInteger;

import io.smallrye.mutiny.subscription.UniEmitter;

/** Waits for several reads: completes once the last of them has its outcome. Thread-safe. */
final class Arrivals {

    private final UniEmitter<? super Void> emitter;
    /** One is for the caller that adds them. */
    private final AtomicInteger missing = new AtomicInteger(1);

    Arrivals(UniEmitter<? super Void> emitter) {
        this.emitter = emitter;
    }

    /** Adds a read to those that are waited for. */
    void add(PendingRead read) {
        missing.incrementAndGet();
        read.onOutcome(this);
    }

    /** A read has its outcome, or all reads were added. */
    void arrived() {
        if (missing.decrementAndGet() == 0) {
            emitter.complete(null);
        }
    }
}
