package dev.windrow.bench.partition;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long the server waits before it answers. */
@FunctionalInterface
public interface Latency {

    /** Answers at once. */
    Latency NONE = () -> Duration.ZERO;

    /** The wait of the next request. */
    Duration next();

    /** Always the same. */
    static Latency constant(Duration wait) {
        return () -> wait;
    }

    /**
     * Log-normal, as latencies of such services are: most near the median, a long tail.
     *
     * @param median half of the requests wait less
     * @param spread standard deviation of the logarithm, 0 for none
     * @param random seeded by the caller
     */
    static Latency logNormal(Duration median, double spread, RandomGenerator random) {
        return () -> Duration.ofNanos((long) (median.toNanos() * Math.exp(spread * random.nextGaussian())));
    }
}
