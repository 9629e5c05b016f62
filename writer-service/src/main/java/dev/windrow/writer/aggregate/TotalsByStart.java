package dev.windrow.writer.aggregate;

import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Totals by the start of their bucket, in order of time. Most messages touch one base bucket of a series, which needs no
 * array. Not thread-safe.
 */
final class TotalsByStart {

    private static final Totals[] NONE = {};
    private static final int FEW = 4;

    private int size;
    /** Null unless it is the only one. */
    private @Nullable Totals only;
    private Totals[] several = NONE;

    int size() {
        return size;
    }

    /** A start, in seconds. */
    long start(int index) {
        return totals(index).start();
    }

    Totals totals(int index) {
        return several.length == 0 ? Objects.requireNonNull(only) : several[index];
    }

    /** The totals of a bucket, new ones if there are none yet. */
    Totals at(long start) {
        if (size > 0 && start(size - 1) == start) {
            return totals(size - 1);
        }
        int at = find(start);
        return at < size && start(at) == start ? totals(at) : insert(at, new Totals(start));
    }

    /** The position of the first that does not start before. */
    private int find(long start) {
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (start(middle) < start) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private Totals insert(int at, Totals inserted) {
        if (size == 0) {
            only = inserted;
        } else {
            makeRoom();
            System.arraycopy(several, at, several, at + 1, size - at);
            several[at] = inserted;
        }
        size++;
        return inserted;
    }

    private void makeRoom() {
        if (only != null) {
            several = new Totals[FEW];
            several[0] = only;
            only = null;
        } else if (size == several.length) {
            several = Arrays.copyOf(several, 2 * size);
        }
    }
}
