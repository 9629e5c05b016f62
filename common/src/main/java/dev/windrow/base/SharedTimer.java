package dev.windrow.base;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs actions after a delay, in whole milliseconds. Only one scheduler timer is set at a time, for the next due action. Time
 * limits are nearly always cancelled long before they are due, so each is a map entry rather than a timer. Thread-safe.
 */
public final class SharedTimer {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ScheduledExecutorService scheduler;
    private final LongSupplier nanoTime;
    private final long origin;
    /** Timeouts by due time, in milliseconds since the origin. */
    private final NavigableMap<Long, Set<Timeout>> timeouts = new TreeMap<>();
    private long nextDue = Long.MAX_VALUE;
    private @Nullable ScheduledFuture<?> next;

    /** @param scheduler runs the actions, which must not block its threads */
    public SharedTimer(ScheduledExecutorService scheduler, LongSupplier nanoTime) {
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    public final class Timeout {

        private final long due;
        private final Runnable action;

        private Timeout(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        /** Cancels the action; does nothing once it has been handed to the scheduler. */
        public void cancel() {
            remove(this);
        }
    }

    /**
     * Runs an action after a delay, never earlier; the minimum is one millisecond.
     *
     * @throws RejectedExecutionException if the scheduler rejects the timer; then the action never runs
     */
    public Timeout after(Duration delay, Runnable action) {
        long delayNanos = TimerDelays.atLeastShortest(delay).toNanos();
        Timeout timeout = new Timeout((nanos() + delayNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, action);
        try {
            synchronized (this) {
                timeouts.computeIfAbsent(timeout.due, due -> new HashSet<>()).add(timeout);
                schedule();
            }
        } catch (RuntimeException | Error rejected) {
            remove(timeout);
            throw rejected;
        }
        return timeout;
    }

    private synchronized void remove(Timeout timeout) {
        Set<Timeout> sameDue = timeouts.get(timeout.due);
        if (sameDue != null && sameDue.remove(timeout) && sameDue.isEmpty()) {
            timeouts.remove(timeout.due);
        }
    }

    private void schedule() {
        if (timeouts.isEmpty() || timeouts.firstKey() >= nextDue) {
            return;
        }
        long due = timeouts.firstKey();
        ScheduledFuture<?> earlier = scheduler.schedule(this::runDue, due * NANOS_PER_MILLI - nanos(), TimeUnit.NANOSECONDS);
        ScheduledFuture<?> later = next;
        // Set only once the timer exists: if the scheduler rejected it, the next action sets it again.
        nextDue = due;
        next = earlier;
        if (later != null) {
            later.cancel(false);
        }
    }

    private void runDue() {
        List<Timeout> due = new ArrayList<>();
        try {
            synchronized (this) {
                nextDue = Long.MAX_VALUE;
                next = null;
                NavigableMap<Long, Set<Timeout>> passed = timeouts.headMap(nanos() / NANOS_PER_MILLI, true);
                passed.values().forEach(due::addAll);
                passed.clear();
                schedule();
            }
        } finally {
            runAll(due);
        }
    }

    /** An exception from one action does not keep the others from running. */
    private void runAll(List<Timeout> due) {
        RuntimeException first = null;
        for (Timeout timeout : due) {
            try {
                run(timeout.action);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Runs the action here if the scheduler rejects it: otherwise, whatever the lost time limit guards might never end. */
    private void run(Runnable action) {
        try {
            scheduler.execute(action);
        } catch (RejectedExecutionException e) {
            action.run();
        }
    }

    private long nanos() {
        return nanoTime.getAsLong() - origin;
    }

}
