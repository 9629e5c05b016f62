package dev.windrow.gather.read;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * When a read is hedged: once it is slower than most, if the budget allows. An answer needs every shard, so with many shards
 * the slowest of them would set the pace of all answers. Reads change nothing, so reading twice is safe; the budget keeps
 * the extra load small, also when all shards are slow. Thread-safe.
 */
final class Hedging {

    /** As a share of all reads: what the table may cost more. */
    private static final double BUDGET = 0.05;
    /** Reads slower than this share of the latest are as many as the budget pays for. */
    private static final double QUANTILE = 0.95;
    /** A read that is this fast is not slow, however fast the others are. */
    private static final Duration MIN_DELAY = Duration.ofMillis(5);

    private final boolean enabled;
    private final HedgeBudget budget;
    private final LatencyQuantile latencies;

    Hedging(boolean enabled, HedgeBudget budget, LatencyQuantile latencies) {
        this.enabled = enabled;
        this.budget = budget;
        this.latencies = latencies;
    }

    /** @param enabled whether any read is hedged */
    static Hedging of(boolean enabled) {
        return new Hedging(enabled, new HedgeBudget(BUDGET), new LatencyQuantile(QUANTILE, MIN_DELAY));
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

    /**
     * Lets at most a given share of reads be hedged. Each read earns its share of a hedge; unused shares do not pile up far.
     */
    static final class HedgeBudget {

        /** Maximum number of hedged reads saved up: enough for a burst, too few to matter. */
        private static final double MAX_SAVED = 20;

        private final double share;
        private double saved;

        /** @param share hedges per read, such as 0.05 */
        HedgeBudget(double share) {
            this.share = share;
        }

        /** Notes a read. */
        synchronized void earn() {
            saved = Math.min(MAX_SAVED, saved + share);
        }

        /** Takes the right to hedge, if there is one. */
        synchronized boolean take() {
            if (saved < 1) {
                return false;
            }
            saved -= 1;
            return true;
        }
    }

    /** Knows a quantile of the latest latencies. Sorting is put off to every so many samples, as reads are many. */
    static final class LatencyQuantile {

        private static final int REMEMBERED = 512;
        /** With fewer samples it follows them closely; later each sorting sees a quarter of new ones. */
        private static final int SORT_EARLY_EVERY = 64;
        private static final int SORT_EVERY = REMEMBERED / 4;

        /** A read that is about to be answered is not worth another: those just beyond the quantile are many. */
        private static final double MARGIN = 1.1;

        private final double quantile;
        private final long minNanos;
        private final long[] nanos = new long[REMEMBERED];
        private long count;
        /** Kept, since it is read far more often than the quantile changes. */
        private Optional<Duration> slow = Optional.empty();

        /**
         * @param quantile from 0 to 1
         * @param shortest the minimum returned
         */
        LatencyQuantile(double quantile, Duration shortest) {
            this.quantile = quantile;
            this.minNanos = shortest.toNanos();
        }

        /** Notes how long a read took. */
        synchronized void add(long tookNanos) {
            nanos[(int) (count % REMEMBERED)] = tookNanos;
            count++;
            if (count % (count < REMEMBERED ? SORT_EARLY_EVERY : SORT_EVERY) == 0) {
                long[] sorted = Arrays.copyOf(nanos, (int) Math.min(count, REMEMBERED));
                Arrays.sort(sorted);
                long slowest = sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * quantile))];
                slow = Optional.of(Duration.ofNanos(Math.max(minNanos, (long) (MARGIN * slowest))));
            }
        }

        /** The quantile and a tenth; empty while too few reads are known. */
        synchronized Optional<Duration> slow() {
            return slow;
        }
    }
}
