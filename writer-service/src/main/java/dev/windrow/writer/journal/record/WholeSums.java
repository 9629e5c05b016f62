package dev.windrow.writer.journal.record;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

/**
 * Changes that are all counts and sums of whole numbers, one of each measure. Most additions are of this kind: adding these
 * up creates no object for each measure, and they take a fraction of the memory of other changes. Unmodifiable.
 */
public final class WholeSums extends AbstractList<Change> implements RandomAccess {

    /** The object and its array. */
    private static final long HEAP_BYTES = 48;

    private final List<Summed> measures;
    private final long[] sums;

    /**
     * One of the measures.
     *
     * @param name the measure's name
     * @param kind count or sum
     */
    public record Summed(String name, MeasureKind kind) {
    }

    /**
     * Creates the changes.
     *
     * @param measures one or more, each with a different name; all additions of a dataset share the list
     * @param sums in the same order, not to be changed any more
     */
    public WholeSums(List<Summed> measures, long[] sums) {
        this.measures = measures;
        this.sums = sums;
    }

    /**
     * Both in one.
     *
     * @return null if a sum is not a long, or if the others are not of the same list of measures
     */
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
        return new WholeSums(measures, all);
    }

    /** Estimated heap size without the shared list of measures, in bytes. */
    long heapBytes() {
        return HEAP_BYTES + (long) Long.BYTES * sums.length;
    }

    @Override
    public Change get(int index) {
        Summed measure = measures.get(index);
        return new Change(measure.name(), measure.kind(), MeasureValue.of(BigDecimal.valueOf(sums[index])));
    }

    @Override
    public int size() {
        return sums.length;
    }
}
