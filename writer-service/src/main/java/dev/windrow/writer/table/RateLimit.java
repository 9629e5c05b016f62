package dev.windrow.writer.table;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.AdmissionQueue.Gate;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.RecentMap;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.smallrye.mutiny.Uni;

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
    private final LongSupplier nanoTime;
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

    /**
     * Admits writes in order, at the limiter's rate, and lowers the rate when a write is throttled, unless only its partition
     * key is. The number of waiting writes is bounded by the journal's updates in flight; everything else waits in the queue
     * (backpressure).
     */
    static final class RateTurns {

        private static final StructuredLogger LOG = StructuredLogger.of(RateTurns.class);
        private static final Duration STEP = Duration.ofMillis(10);
        private static final long LOG_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

        private final RateLimit limiter;
        private final ScheduledExecutorService timer;
        private final AdmissionQueue turns = new AdmissionQueue(new RateGate());
        private final AtomicBoolean lookingAgain = new AtomicBoolean();
        private final AtomicLong loggedAt;
        private final HotKeys hotKeys = new HotKeys();

        RateTurns(RateLimit limiter, ScheduledExecutorService timer) {
            this.limiter = limiter;
            this.timer = timer;
            this.loggedAt = new AtomicLong(limiter.nanoTime.getAsLong() - LOG_PAUSE_NANOS);
        }

        Uni<WriteResult> run(TableWrite write, Supplier<Uni<WriteResult>> send) {
            return turns.run(write.estimatedUnits(), send);
        }

        void ended(TableWrite write, @Nullable WriteResult result, @Nullable Throwable failure) {
            int estimate = write.estimatedUnits();
            if (result != null) {
                hotKeys.applied();
                limiter.applied(estimate, result.units() == 0 ? estimate : result.units());
            } else if (failure instanceof WriteFailedException failed && failed.reason() == Reason.THROTTLED) {
                boolean again = hotKeys.isThrottledAgain(write.updates().get(0).partitionKey(), limiter.nanoTime.getAsLong());
                if (failed.isForKey() || again) {
                    limiter.applied(estimate, 0);
                    log(write, failed);
                } else {
                    limiter.throttled();
                }
            }
        }

        private void log(TableWrite write, WriteFailedException failure) {
            long now = limiter.nanoTime.getAsLong();
            long logged = loggedAt.get();
            if (now - logged >= LOG_PAUSE_NANOS && loggedAt.compareAndSet(logged, now)) {
                LOG.warn("one partition key is throttled; its updates wait, and others go on",
                        LogKey.REASON.of(Reason.THROTTLED.word()), LogKey.DETAIL.of(
                                failure.throttled() + ", writing key " + write.updates().get(0).partitionKey()));
            }
        }

        private void lookAgain() {
            if (lookingAgain.compareAndSet(false, true)) {
                Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(STEP).subscribe().with(ignored -> {
                    lookingAgain.set(false);
                    turns.wakeUp();
                });
            }
        }

        /**
         * Finds keys that are throttled again and again while the table takes other writes: not every response says that only
         * its key is throttled, and one such key would hold the whole writer at the lowest rate. Thread-safe.
         */
        private static final class HotKeys {

            private static final int MAX_KEYS = 1_000;
            private static final long LASTS_NANOS = Duration.ofSeconds(10).toNanos();
            /** So many writes must have been applied since the key was throttled last, and so many for each one throttled. */
            private static final int MIN_APPLIED = 8;
            private static final int MIN_APPLIED_PER_THROTTLED = 4;

            private final Map<String, Throttled> keys = new RecentMap<>(MAX_KEYS);
            private long applied;
            private long throttled;

            /** How many writes had been applied and throttled when a key was throttled last. */
            private record Throttled(long applied, long throttled, long nanos) {
            }

            synchronized void applied() {
                applied++;
            }

            synchronized boolean isThrottledAgain(String key, long now) {
                Throttled before = keys.put(key, new Throttled(applied, throttled + 1, now));
                throttled++;
                if (before == null || now - before.nanos > LASTS_NANOS) {
                    return false;
                }
                long appliedSince = applied - before.applied;
                long others = throttled - before.throttled - 1;
                return appliedSince >= MIN_APPLIED && others * MIN_APPLIED_PER_THROTTLED <= appliedSince;
            }
        }

        /** Admits writes at the limiter's rate. While one waits, checks the limiter again every 10 ms. */
        private final class RateGate implements Gate {

            @Override
            public boolean tryTake(long units) {
                boolean taken = limiter.tryTake((double) units);
                if (!taken) {
                    lookAgain();
                }
                return taken;
            }

            @Override
            public void giveBack(long units) {
                // Consumed units are not returned; new ones accrue at the limiter's rate.
            }
        }
    }
}
