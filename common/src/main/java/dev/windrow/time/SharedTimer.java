package dev.windrow.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs actions after a delay, in whole milliseconds. One timer of the scheduler is set at a time, for the action that is due
 * next. Time limits are nearly always cancelled long before: each is an entry in a map rather than a timer. Thread-safe.
 */
public final class SharedTimer {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ScheduledExecutorService scheduler;
    private final LongSupplier nanoTime;
    private final long origin;
    /** By the millisecond in which they are due, counted from the origin. */
    private final NavigableMap<Long, Set<Timeout>> timeouts = new TreeMap<>();
    private long nextDue = Long.MAX_VALUE;
    private @Nullable ScheduledFuture<?> next;

    /**
     * @param scheduler runs the actions, which must not block it
     * @param nanoTime a monotonic clock
     */
    public SharedTimer(ScheduledExecutorService scheduler, LongSupplier nanoTime) {
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    /** An action that waits for its time. */
    public final class Timeout {

        private final long due;
        private final Runnable action;

        private Timeout(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        /** Forgets the action; does nothing once it has been handed to the scheduler. */
        public void cancel() {
            remove(this);
        }
    }

    /** Runs an action after a delay, never earlier; after a millisecond at least. */
    public Timeout after(Duration delay, Runnable action) {
        long delayNanos = TimerDelays.atLeastShortest(delay).toNanos();
        Timeout timeout = new Timeout((nanos() + delayNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, action);
        synchronized (this) {
            timeouts.computeIfAbsent(timeout.due, due -> new HashSet<>()).add(timeout);
            schedule();
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
        ScheduledFuture<?> later = next;
        if (later != null) {
            later.cancel(false);
        }
        nextDue = timeouts.firstKey();
        next = scheduler.schedule(this::runDue, nextDue * NANOS_PER_MILLI - nanos(), TimeUnit.NANOSECONDS);
    }

    private void runDue() {
        List<Timeout> due = new ArrayList<>();
        synchronized (this) {
            NavigableMap<Long, Set<Timeout>> passed = timeouts.headMap(nanos() / NANOS_PER_MILLI, true);
            passed.values().forEach(due::addAll);
            passed.clear();
            nextDue = Long.MAX_VALUE;
            next = null;
            schedule();
        }
        due.forEach(timeout -> scheduler.execute(timeout.action));
    }

    private long nanos() {
        return nanoTime.getAsLong() - origin;
    }
}
