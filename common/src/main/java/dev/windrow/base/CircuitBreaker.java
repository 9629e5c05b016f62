package dev.windrow.base;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A circuit breaker: rejects calls for a while once most of the latest calls have failed, and then lets a single trial call
 * find out whether the outage is over. Only a failure opens it, and results count for ten seconds: those of a past outage say
 * nothing about the present. Results of calls that started before the breaker last opened or closed are ignored, and abandoned
 * calls count neither as failed nor as succeeded. Thread-safe.
 */
public final class CircuitBreaker {

    /** Returned instead of a permission while the breaker is open. */
    public static final long REJECTED = -1;

    /** How long a result counts. */
    static final long RESULT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int window;
    private final int failuresToOpen;
    private final long openNanos;
    private final LongSupplier nanoTime;
    /** Ring buffers of the latest calls: which of them failed, and when each ended. */
    private final BitSet failed;
    private final long[] endedAt;
    private State state = State.CLOSED;
    private int oldest;
    private int results;
    private int failures;
    private long openedAt;
    private boolean trialRuns;
    /** The number of state changes; a permission is the value at the time it was given. */
    private long number;

    private enum State {
        CLOSED,
        OPEN,
        /** Waiting for the result of the trial call. */
        HALF_OPEN
    }

    /**
     * @param window number of latest calls considered, 1 or more; the breaker does not open before there are this many in ten
     *        seconds
     * @param failureRatio share of failed calls at which it opens, 0 to 1
     */
    public CircuitBreaker(int window, double failureRatio, long openNanos, LongSupplier nanoTime) {
        this.window = window;
        this.failuresToOpen = (int) Math.ceil(window * failureRatio);
        this.openNanos = openNanos;
        this.nanoTime = nanoTime;
        this.failed = new BitSet(window);
        this.endedAt = new long[window];
    }

    /** Returns a permission for a call, to be passed back with its result; or {@link #REJECTED}. */
    public synchronized long tryCall() {
        if (state == State.CLOSED) {
            return number;
        }
        if (state == State.OPEN && nanoTime.getAsLong() - openedAt >= openNanos) {
            change(State.HALF_OPEN);
        }
        if (state == State.OPEN || trialRuns) {
            return REJECTED;
        }
        trialRuns = true;
        return number;
    }

    /** Whether this is the trial call, whose result decides whether others are let through. */
    public synchronized boolean isTrial(long permission) {
        return state == State.HALF_OPEN && permission == number;
    }

    /** Reports a call that succeeded, or failed for a reason that does not indicate an outage. */
    public void succeeded(long permission) {
        result(permission, false);
    }

    /** Reports a call that failed in a way that indicates an outage. */
    public void failed(long permission) {
        result(permission, true);
    }

    /** Reports an abandoned call: the next one may be the trial instead. */
    public synchronized void givenUp(long permission) {
        if (permission == number) {
            trialRuns = false;
        }
    }

    private synchronized void result(long permission, boolean failure) {
        if (permission != number) {
            return;
        }
        if (state == State.HALF_OPEN) {
            change(failure ? State.OPEN : State.CLOSED);
            return;
        }
        add(failure);
        if (failure && results == window && failures >= failuresToOpen) {
            change(State.OPEN);
        }
    }

    private void add(boolean failure) {
        long now = nanoTime.getAsLong();
        while (results == window || (results > 0 && now - endedAt[oldest] >= RESULT_NANOS)) {
            failures -= failed.get(oldest) ? 1 : 0;
            oldest = (oldest + 1) % window;
            results--;
        }
        int place = (oldest + results) % window;
        failed.set(place, failure);
        endedAt[place] = now;
        failures += failure ? 1 : 0;
        results++;
    }

    private void change(State next) {
        state = next;
        number++;
        trialRuns = false;
        results = 0;
        failures = 0;
        openedAt = nanoTime.getAsLong();
    }
}
