package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Knows a quantile of the latest latencies. Sorting is put off to every so many samples, as reads are many. */
final class LatencyQuantile {

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
