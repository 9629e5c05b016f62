package dev.windrow.writer.lifecycle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * When the flow last made progress: when it last received, or, while full memory holds receives back, when it last tried to
 * free some. Attempts count, failed or not: a queue or table that is down is no reason to restart. What goes on in a stuck
 * flow as well, such as renewals of its lane and of visibility timeouts, does not count. Thread-safe.
 */
final class FlowProgress {

    private final LongSupplier nanoTime;
    private final AtomicLong lastReceive;
    private final AtomicLong lastRelease;
    private volatile BooleanSupplier heldBack = () -> false;

    /** @param nanoTime a clock that never goes back */
    FlowProgress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastReceive = new AtomicLong(nanoTime.getAsLong());
        this.lastRelease = new AtomicLong(nanoTime.getAsLong());
    }

    /** @param receives whether a receive waits for memory */
    void heldBackWhile(BooleanSupplier receives) {
        heldBack = receives;
    }

    /** A receive started, ended, or was left out in a pause. */
    void receiving() {
        lastReceive.set(nanoTime.getAsLong());
    }

    /** An attempt that may free memory has ended, well or not: a claim, an update, a delete, a return or a dead letter. */
    void releasing() {
        lastRelease.set(nanoTime.getAsLong());
    }

    /** Time since the flow last made progress, in nanoseconds. */
    long nanosSince() {
        long now = nanoTime.getAsLong();
        long sinceReceive = now - lastReceive.get();
        return heldBack.getAsBoolean() ? Math.min(sinceReceive, now - lastRelease.get()) : sinceReceive;
    }
}
