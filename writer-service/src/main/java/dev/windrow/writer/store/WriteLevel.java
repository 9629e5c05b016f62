package dev.windrow.writer.store;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many write units may be taken per second: all that is configured, or as many as wanted, until the table throttles.
 * Then the rate is halved, at most once in a short while as throttled requests come in swarms, and raised again in even
 * steps: additive increase, multiplicative decrease. Once it is well above what was taken before the first throttle, an
 * unlimited rate is unlimited again. Thread-safe.
 */
final class WriteLevel {

    private static final double DECREASE = 0.5;
    private static final long DECREASE_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    /** A fifth of the usual rate each second: back in five seconds from the bottom. */
    private static final double INCREASE_PER_SECOND = 0.2;
    private static final double FREE_AGAIN = 2;
    private static final double LOWEST_RATE = 25;
    private static final double BURST_SECONDS = 0.25;
    private static final double NANOS = 1e9;

    private final double limit;
    private final LongSupplier nanoTime;
    private double rate;
    /** The rate that is thought to be usual, which the steps of the increase are parts of. */
    private double usual;
    private double tokens;
    private long accruedAt;
    private long decreasedAt;
    private double takenThisSecond;
    private double takenLastSecond;
    private long secondBegan;

    /**
     * @param limit most write units per second, {@link Double#POSITIVE_INFINITY} for as many as wanted
     * @param nanoTime a clock that never goes back
     */
    WriteLevel(double limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.rate = limit;
        this.usual = limit;
        this.tokens = burst();
        this.accruedAt = nanoTime.getAsLong();
        this.decreasedAt = accruedAt - DECREASE_PAUSE_NANOS;
        this.secondBegan = accruedAt;
    }

    /** Takes units if there are any; they may be overdrawn, which the next ones wait for. */
    synchronized boolean tryTake(double units) {
        accrue();
        if (tokens <= 0) {
            return false;
        }
        tokens -= units;
        takenThisSecond += units;
        return true;
    }

    /** Corrects what was taken by estimate to what it really was. */
    synchronized void correct(double estimated, double real) {
        tokens -= real - estimated;
        takenThisSecond += real - estimated;
    }

    /** Lowers the rate, as the table could not take what it got. */
    synchronized void throttled() {
        accrue();
        long now = nanoTime.getAsLong();
        if (now - decreasedAt < DECREASE_PAUSE_NANOS) {
            return;
        }
        decreasedAt = now;
        if (Double.isInfinite(rate)) {
            usual = Math.max(LOWEST_RATE, Math.max(takenLastSecond, takenThisSecond));
            rate = usual;
        }
        rate = Math.max(Math.min(LOWEST_RATE, limit), rate * DECREASE);
        tokens = Math.min(tokens, 0);
    }

    /** Units per second allowed now. */
    synchronized double rate() {
        accrue();
        return rate;
    }

    private void accrue() {
        long now = nanoTime.getAsLong();
        double seconds = (now - accruedAt) / NANOS;
        accruedAt = now;
        if (now - secondBegan >= NANOS) {
            takenLastSecond = now - secondBegan < 2 * NANOS ? takenThisSecond : 0;
            takenThisSecond = 0;
            secondBegan = now;
        }
        raise(seconds);
        tokens = Double.isInfinite(rate) ? burst() : Math.min(burst(), tokens + rate * seconds);
    }

    private void raise(double seconds) {
        if (rate >= limit) {
            return;
        }
        rate = Math.min(limit, rate + usual * INCREASE_PER_SECOND * seconds);
        if (Double.isInfinite(limit) && rate >= usual * FREE_AGAIN) {
            rate = limit;
        }
    }

    private double burst() {
        return Double.isInfinite(rate) ? Double.MAX_VALUE : Math.max(1, rate * BURST_SECONDS);
    }
}
