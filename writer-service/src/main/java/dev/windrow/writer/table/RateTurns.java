package dev.windrow.writer.table;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.Gate;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.RecentMap;
import dev.windrow.base.StructuredLogger;
import io.smallrye.mutiny.Uni;

/**
 * Admits writes in order, at the limiter's rate, and lowers the rate when a write is throttled, unless only its partition
 * key is. The number of waiting writes is bounded by the journal's updates in flight; everything else waits in the queue
 * (backpressure).
 */
final class RateTurns {

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
