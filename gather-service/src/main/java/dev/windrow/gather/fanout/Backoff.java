package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Pauses before retries: they double up to a maximum, and vary by half of the first, so that retries spread out. */
final class Backoff {

    /** Doubling this often exceeds any maximum that is set. */
    private static final int MAX_DOUBLINGS = 30;

    private final long firstMillis;
    private final long maxMillis;
    private final Supplier<RandomGenerator> random;

    /** @param random gives the generator that the calling thread may use */
    Backoff(Duration first, Duration maximum, Supplier<RandomGenerator> random) {
        this.firstMillis = first.toMillis();
        this.maxMillis = maximum.toMillis();
        this.random = random;
    }

    /**
     * The pause before a retry.
     *
     * @param retry its number, from 0
     */
    Duration pause(int retry) {
        long doubled = Math.min(maxMillis, firstMillis << Math.min(retry, MAX_DOUBLINGS));
        long jitter = firstMillis / 2;
        long drawn = random.get().nextLong(-jitter, jitter + 1);
        return Duration.ofMillis(Math.max(0, Math.min(maxMillis, doubled + drawn)));
    }
}
