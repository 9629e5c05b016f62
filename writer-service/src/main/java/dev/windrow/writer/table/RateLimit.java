package dev.windrow.writer.table;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Rate limiter for write units per second (AIMD). The rate is the configured maximum, or unlimited, until the table throttles.
 * Then it becomes half of the rate used last, is halved again at most every 250 ms since throttled requests come in bursts, and
 * raised linearly. Once nothing has been throttled for a while, it doubles repeatedly up to the rate that the table last
 * sustained. Once it reaches twice the usual rate, it is the maximum, or unlimited, again. Thread-safe.
 */
public final class RateLimit {

    private static final double DECREASE = 0.5;
    private static final long DECREASE_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    /** A fifth of the usual rate per second: five seconds from zero to the usual rate. */
    private static final double INCREASE_PER_SECOND = 0.2;
    private static final double DOUBLINGS_PER_SECOND = 6;
    /** How long nothing must have been throttled before the rate doubles. */
    private static final long CALM_NANOS = Duration.ofMillis(250).toNanos();
    /** The factor by which a decrease lowers the estimate of the sustained rate, unless the rate was doubled before. */
    private static final double BELIEF = 0.99;
    private static final double FREE_AGAIN = 2;
    private static final double LOWEST_RATE = 25;
    private static final double BURST_SECONDS = 0.25;
    private static final double NANOS = 1e9;

    private final double limit;
    final LongSupplier nanoTime;
    private double rate;
    /** The estimated usual rate; the linear increase is a share of it. */
    private double usual;
    /** Units per second that the table last sustained. */
    private double proven;
    /** Whether the rate was doubled since it was last lowered. */
    private boolean doubled;
    private double tokens;
    private long accruedAt;
    private long decreasedAt;
    private long throttledAt;
    private double appliedThisSecond;
    private double appliedLastSecond;
    private double takenThisSecond;
    private double takenLastSecond;
    private long secondBegan;

    /** @param limit maximum write units per second, {@link Double#POSITIVE_INFINITY} for no limit */
    RateLimit(double limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.rate = limit;
        this.usual = limit;
        this.tokens = burst();
        this.accruedAt = nanoTime.getAsLong();
        this.decreasedAt = accruedAt - DECREASE_PAUSE_NANOS;
        this.throttledAt = decreasedAt;
        this.secondBegan = accruedAt;
    }

    /** Takes units if any are available. This may overdraw, which delays later writes. */
    synchronized boolean tryTake(double units) {
        accrue();
        if (tokens <= 0) {
            return false;
        }
        tokens -= units;
        takenThisSecond += units;
        return true;
    }

    /** Records that a write was applied, and corrects the units taken from the estimate to the real number. */
    synchronized void applied(double estimated, double real) {
        appliedThisSecond += real;
        tokens -= real - estimated;
        takenThisSecond += real - estimated;
    }

    /** Lowers the rate because the table throttled. */
    synchronized void throttled() {
        accrue();
        long now = nanoTime.getAsLong();
        throttledAt = now;
        if (now - decreasedAt < DECREASE_PAUSE_NANOS) {
            return;
        }
        decreasedAt = now;
        // If doubling went too far, the estimate was too high. Otherwise a storm says little about the rate after it.
        proven = Math.max(appliedLastSecond, proven * (doubled ? DECREASE : BELIEF));
        doubled = false;
        if (rate >= limit) {
            usual = Math.min(limit, Math.max(LOWEST_RATE, Math.max(takenLastSecond, takenThisSecond)));
            rate = usual;
        }
        rate = Math.max(Math.min(LOWEST_RATE, limit), rate * DECREASE);
        tokens = Math.min(tokens, 0);
    }

    /** The current rate in units per second. */
    public synchronized double rate() {
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
            appliedLastSecond = now - secondBegan < 2 * NANOS ? appliedThisSecond : 0;
            appliedThisSecond = 0;
            secondBegan = now;
        }
        raise(now, seconds);
        tokens = Double.isInfinite(rate) ? burst() : Math.min(burst(), tokens + rate * seconds);
    }

    private void raise(long now, double seconds) {
        if (rate >= limit) {
            return;
        }
        if (rate < proven && now - throttledAt >= CALM_NANOS) {
            rate = Math.min(proven, rate * Math.pow(2, DOUBLINGS_PER_SECOND * seconds));
            doubled = true;
        }
        rate = Math.min(limit, rate + usual * INCREASE_PER_SECOND * seconds);
        if (rate >= usual * FREE_AGAIN) {
            rate = limit;
        }
    }

    private double burst() {
        return Double.isInfinite(rate) ? Double.MAX_VALUE : Math.max(1, rate * BURST_SECONDS);
    }

}
