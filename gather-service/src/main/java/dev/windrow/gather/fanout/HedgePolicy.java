package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Optional;

/**
 * When a read is hedged: once it is slower than most, if the budget allows. An answer needs every shard, so with many shards
 * the slowest of them would set the pace of all answers. Reads change nothing, so reading twice is safe; the budget keeps
 * the extra load small, also when all shards are slow. Thread-safe.
 */
final class HedgePolicy {

    private final boolean enabled;
    private final HedgeBudget budget;
    private final LatencyQuantile latencies;

    HedgePolicy(boolean enabled, HedgeBudget budget, LatencyQuantile latencies) {
        this.enabled = enabled;
        this.budget = budget;
        this.latencies = latencies;
    }

    static HedgePolicy of(FanoutConfig.Hedging config) {
        return new HedgePolicy(config.enabled(), new HedgeBudget(config.budget()),
                new LatencyQuantile(config.quantile(), config.minDelay()));
    }

    /** Notes a read that starts, and returns when to look whether it is slow; empty if it is not hedged. */
    Optional<Duration> started() {
        if (!enabled) {
            return Optional.empty();
        }
        budget.earn();
        return latencies.slow();
    }

    /** Notes how long a request took that was answered, its retries included. */
    void answered(long tookNanos) {
        if (enabled) {
            latencies.add(tookNanos);
        }
    }

    /** Takes the right to hedge, if there is one. */
    boolean take() {
        return budget.take();
    }
}
