package dev.windrow.gather.fanout;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import dev.windrow.base.Reason;

/** Which failures of reads are retried how often, and which are signs of an outage. */
record RetryPolicy(int maxRetries, Backoff backoff) {

    private static final Set<Reason> TRANSIENT = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    /** A table that throttles is up, and pauses are the cure. */
    private static final Set<Reason> OUTAGE = EnumSet.of(Reason.UNAVAILABLE, Reason.TIMED_OUT);

    static RetryPolicy of(FanoutConfig.Resilience config) {
        return new RetryPolicy(config.maxRetries(),
                new Backoff(config.initialBackoff(), config.maxBackoff(), ThreadLocalRandom::current));
    }

    /**
     * Whether there is another attempt.
     *
     * @param retries how many there were
     */
    boolean isRetried(Throwable failure, int retries) {
        return retries < maxRetries && failure instanceof GatherException known && TRANSIENT.contains(known.reason());
    }

    /** Whether the circuit breaker counts it as failed. */
    boolean isOutage(Throwable failure) {
        return failure instanceof GatherException known && OUTAGE.contains(known.reason());
    }
}
