package dev.windrow.writer.record;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureValue;

/**
 * Counts and sums of whole numbers, at most one per measure. Most additions are of this kind: merging them creates no
 * object per measure, and they take a fraction of the memory of other changes. Unmodifiable.
 */
public final class WholeSums extends AbstractList<Change> implements RandomAccess {

    /** One bit of a long per measure. */
    public static final int MAX_MEASURES = Long.SIZE;
    /** The object and its array. */
    private static final long HEAP_BYTES = 56;

    private final List<Measured> measures;
    private final long[] sums;
    private final long present;

    /**
     * @param measures counts and sums, one or more, each with a different name; all additions of a dataset share the list
     * @param sums in the same order, and not modified any more; zero where a measure has none
     * @param present bit set of the measures that have one
     */
    public WholeSums(List<Measured> measures, long[] sums, long present) {
        this.measures = measures;
        this.sums = sums;
        this.present = present;
    }

    /** Returns the merged sums; null if one overflows a long, or if the others are not of the same list of measures. */
    public @Nullable WholeSums plus(List<Change> others) {
        if (!(others instanceof WholeSums more) || more.measures != measures) {
            return null;
        }
        long[] all = new long[sums.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = sums[i] + more.sums[i];
            if (((sums[i] ^ all[i]) & (more.sums[i] ^ all[i])) < 0) {
                return null;
            }
        }
        return new WholeSums(measures, all, present | more.present);
    }

    /** Estimated heap size without the shared list of measures, in bytes. */
    long heapBytes() {
        return HEAP_BYTES + (long) Long.BYTES * sums.length;
    }

    @Override
    public Change get(int index) {
        int place = Long.numberOfTrailingZeros(without(present, Objects.checkIndex(index, size())));
        Measured measure = measures.get(place);
        return new Change(measure.name(), measure.kind(), MeasureValue.of(BigDecimal.valueOf(sums[place])));
    }

    /** Returns the bits without the lowest {@code first} that are set. */
    private static long without(long bits, int first) {
        long left = bits;
        for (int i = 0; i < first; i++) {
            left &= left - 1;
        }
        return left;
    }

    @Override
    public int size() {
        return Long.bitCount(present);
    }
}
