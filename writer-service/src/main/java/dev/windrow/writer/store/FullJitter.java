package dev.windrow.writer.store;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.smallrye.faulttolerance.api.CustomBackoffStrategy;

/** Pauses drawn evenly between nothing and a bound that doubles up to a limit, so that many retries spread out. */
final class FullJitter implements CustomBackoffStrategy {

    private final long longestMillis;
    private final RandomGenerator random;
    private long boundMillis;

    FullJitter(Duration first, Duration longest, RandomGenerator random) {
        this.boundMillis = Math.max(1, first.toMillis());
        this.longestMillis = longest.toMillis();
        this.random = random;
    }

    @Override
    public long nextDelayInMillis(Throwable failure) {
        long bound = Math.min(boundMillis, longestMillis);
        boundMillis = Math.min(boundMillis * 2, longestMillis);
        return random.nextLong(bound + 1);
    }
}
