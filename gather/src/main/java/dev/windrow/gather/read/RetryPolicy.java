package dev.windrow.gather.read;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.windrow.base.Reason;

/**
 * Decides which failed reads are retried, how often and when, and which failures are signs of an outage.
 *
 * @param firstPause the pause before the first retry; later pauses double
 * @param random supplies the generator of the calling thread
 */
public record RetryPolicy(int maxRetries, Duration firstPause, Duration maxPause, Supplier<RandomGenerator> random) {

    /** Enough to exceed any maximum that is set. */
    private static final int MAX_DOUBLINGS = 30;
    private static final Set<Reason> TRANSIENT = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    /** Without throttling: a table that throttles is up, and pauses help. */
    private static final Set<Reason> OUTAGE = EnumSet.of(Reason.UNAVAILABLE, Reason.TIMED_OUT);

    /** The pauses of all retries together are a small part of a query's usual deadline of 10 s. */
    public static RetryPolicy usual() {
        return new RetryPolicy(3, Duration.ofMillis(25), Duration.ofMillis(500), ThreadLocalRandom::current);
    }

    /** Whether there is another attempt. */
    boolean isRetried(Throwable failure, int retries) {
        return retries < maxRetries && failure instanceof GatherException known && TRANSIENT.contains(known.reason());
    }

    boolean isOutage(Throwable failure) {
        return failure instanceof GatherException known && OUTAGE.contains(known.reason());
    }

    /**
     * The pause before a retry. It varies by up to half of the first pause, so that retries spread out.
     *
     * @param retry its number, from 0
     */
    Duration pause(int retry) {
        long most = maxPause.toMillis();
        long doubled = Math.min(most, firstPause.toMillis() << Math.min(retry, MAX_DOUBLINGS));
        long jitter = firstPause.toMillis() / 2;
        long drawn = random.get().nextLong(-jitter, jitter + 1);
        return Duration.ofMillis(Math.max(0, Math.min(most, doubled + drawn)));
    }
}
