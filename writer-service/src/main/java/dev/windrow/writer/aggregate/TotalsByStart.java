package dev.windrow.writer.aggregate;

import java.util.Arrays;

/**
 * Totals by the start of their bucket, in order of time. Most messages touch one base bucket of a series, and most flushes
 * one or two: so arrays, not a tree. Not thread-safe.
 */
final class TotalsByStart {

    private static final int FEW = 1;

    private long[] starts;
    private Totals[] totals;
    private int size;

    TotalsByStart() {
        this.starts = new long[FEW];
        this.totals = new Totals[FEW];
    }

    private TotalsByStart(long[] starts, Totals[] totals) {
        this.starts = starts;
        this.totals = totals;
        this.size = starts.length;
    }

    int size() {
        return size;
    }

    /** A start, in seconds. */
    long start(int index) {
        return starts[index];
    }

    Totals totals(int index) {
        return totals[index];
    }

    /** The totals of a bucket, new ones if there are none yet. */
    Totals at(long start, int measures) {
        if (size > 0 && starts[size - 1] == start) {
            return totals[size - 1];
        }
        int at = Arrays.binarySearch(starts, 0, size, start);
        return at >= 0 ? totals[at] : insert(-at - 1, start, measures);
    }

    private Totals insert(int at, long start, int measures) {
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            totals = Arrays.copyOf(totals, 2 * size);
        }
        System.arraycopy(starts, at, starts, at + 1, size - at);
        System.arraycopy(totals, at, totals, at + 1, size - at);
        size++;
        starts[at] = start;
        totals[at] = new Totals(measures);
        return totals[at];
    }

    /** Some of the buckets, from one position to before another. */
    TotalsByStart part(int from, int to) {
        return new TotalsByStart(Arrays.copyOfRange(starts, from, to), Arrays.copyOfRange(totals, from, to));
    }
}
