package dev.windrow.writer.record;

import java.util.List;

/**
 * The changes of one bucket.
 *
 * @param granularity the name of the bucket's granularity, which decides when it is written
 * @param changes at least one, at most one of each measure
 */
public record Addition(BucketItem item, String granularity, List<Change> changes) {

    /** The addition and its list. */
    private static final long HEAP_BYTES = 80;
    /** A change with its number. */
    private static final long CHANGE_BYTES = 150;

    public Addition {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("an addition needs at least one change");
        }
    }

    Addition with(Addition other) {
        return new Addition(item, granularity, Change.merged(changes, other.changes));
    }

    /** Estimated heap size without the item, which other additions may share, in bytes. */
    public long heapBytes() {
        return HEAP_BYTES + (changes instanceof WholeSums sums ? sums.heapBytes() : CHANGE_BYTES * changes.size());
    }
}
