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
    /** Maximum number of hedged reads saved up: enough for a burst, too few to matter. */
    private static final double MAX_SAVED = 20;

    /** Reads slower than this share of the latest are as many as the budget pays for. */
    private static final double QUANTILE = 0.95;
    /** A read that is about to be answered is not worth another: those just beyond the quantile are many. */
    private static final double MARGIN = 1.1;
    /** A read that is this fast is not slow, however fast the others are. */
    private static final Duration MIN_DELAY = Duration.ofMillis(5);

    /** Latencies, sorted now and then, as reads are many: a few closely, later with a quarter of new ones each time. */
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
    /** Kept, since it is read far more often than the quantile changes. */
    private Optional<Duration> slow = Optional.empty();

    /**
     * @param enabled whether any read is hedged
     * @param share hedges per read, such as 0.05
     * @param quantile of the latencies, from 0 to 1; what is a tenth slower is slow
     * @param shortest the shortest time that is slow
     */
    Hedging(boolean enabled, double share, double quantile, Duration shortest) {
        this.enabled = enabled;
        this.share = share;
        this.quantile = quantile;
        this.minNanos = shortest.toNanos();
    }

    static Hedging of(boolean enabled) {
        return new Hedging(enabled, BUDGET, QUANTILE, MIN_DELAY);
    }

    /**
     * Notes a read that starts: it earns its share of a hedge.
     *
     * @return when to look whether it is slow; empty if it is not hedged, or too few reads are known
     */
    synchronized Optional<Duration> started() {
        saved = Math.min(MAX_SAVED, saved + share);
        return enabled ? slow : Optional.empty();
    }

    /** Notes how long a request took that was answered, its retries included. */
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

    /** Takes the right to hedge, if there is one. */
    synchronized boolean take() {
        if (saved < 1) {
            return false;
        }
        saved -= 1;
        return true;
    }
}
