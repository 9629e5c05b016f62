package dev.windrow.writer.store;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.smallrye.faulttolerance.api.CustomBackoffStrategy;

/** Pauses drawn evenly between nothing and a bound that doubles up to a limit, so that many retries spread out. */
final class FullJitter implements CustomBackoffStrategy {

    private final long maxMillis;
    private final RandomGenerator random;
    private long boundMillis;

    FullJitter(Duration first, Duration maximum, RandomGenerator random) {
        this.boundMillis = Math.max(1, first.toMillis());
        this.maxMillis = maximum.toMillis();
        this.random = random;
    }

    @Override
    public long nextDelayInMillis(Throwable failure) {
        long bound = Math.min(boundMillis, maxMillis);
        boundMillis = Math.min(boundMillis * 2, maxMillis);
        return random.nextLong(bound + 1);
    }
}
