package dev.windrow.gather.read;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decides when to hedge a read: once it is slower than most, if the budget allows. An answer needs every shard, so with many
 * shards the slowest would determine the latency of all answers. Reads change nothing, so reading twice is safe; the budget
 * keeps the extra load small even when all shards are slow. Thread-safe.
 */
public final class Hedging {

    /** Hedges as a share of all reads: the additional cost of the table. */
    private static final double BUDGET = 0.05;
    /** Maximum number of hedged reads saved up: enough for a burst, too few to matter. */
    private static final double MAX_SAVED = 20;

    /** The share of the latest reads that are not slow; the budget pays for hedges of the others. */
    private static final double QUANTILE = 0.95;
    /** Many reads are just beyond the quantile and about to be answered: only reads slower by this factor are hedged. */
    private static final double MARGIN = 1.1;
    /** A faster read is never slow, however fast the others are. */
    private static final Duration MIN_DELAY = Duration.ofMillis(5);

    /** Number of latencies kept. They are sorted rarely, as reads are many: first every few reads, then each new quarter. */
    private static final int REMEMBERED = 512;
    private static final int SORT_EARLY_EVERY = 64;
    private static final int SORT_EVERY = REMEMBERED / 4;

    private final boolean enabled;
    private final double share;
    private final double quantile;
    private final long minNanos;
    private final long[] nanos = new long[REMEMBERED];
    private long count;
    private double saved;
    /** Cached, because it is read far more often than the quantile changes. */
    private Optional<Duration> slow = Optional.empty();

    /**
     * @param share hedges per read, such as 0.05
     * @param quantile of the latencies, from 0 to 1; a read that is a tenth slower is slow
     * @param shortest the shortest time after which a read is slow
     */
    Hedging(boolean enabled, double share, double quantile, Duration shortest) {
        this.enabled = enabled;
        this.share = share;
        this.quantile = quantile;
        this.minNanos = shortest.toNanos();
    }

    public static Hedging of(boolean enabled) {
        return new Hedging(enabled, BUDGET, QUANTILE, MIN_DELAY);
    }

    /**
     * Notes the start of a read, which earns its share of a hedge.
     *
     * @return the delay after which it is slow; empty if it is not hedged or too few latencies are known
     */
    synchronized Optional<Duration> started() {
        saved = Math.min(MAX_SAVED, saved + share);
        return enabled ? slow : Optional.empty();
    }

    /** Records the latency of an answered request, retries included. */
    synchronized void answered(long tookNanos) {
        nanos[(int) (count % REMEMBERED)] = tookNanos;
        count++;
        if (count % (count < REMEMBERED ? SORT_EARLY_EVERY : SORT_EVERY) == 0) {
            long[] sorted = Arrays.copyOf(nanos, (int) Math.min(count, REMEMBERED));
            Arrays.sort(sorted);
            long slowest = sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * quantile))];
            slow = Optional.of(Duration.ofNanos(Math.max(minNanos, (long) (MARGIN * slowest))));
        }
    }

    /** Takes one hedge from the budget; false if it is used up. */
    synchronized boolean take() {
        if (saved < 1) {
            return false;
        }
        saved -= 1;
        return true;
    }
}
