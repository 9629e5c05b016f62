package dev.windrow.writer.journal.record;

import java.util.List;

/**
 * What is added to one bucket.
 *
 * @param item the bucket's item
 * @param granularity the name of the bucket's granularity, which decides when it is written
 * @param changes at least one, at most one of each measure
 */
public record Addition(BucketItem item, String granularity, List<Change> changes) {

    /** It, and its list. */
    private static final long HEAP_BYTES = 80;
    /** A change with its number. */
    private static final long CHANGE_BYTES = 150;

    public Addition {
        changes = changes instanceof WholeSums ? changes : List.copyOf(changes);
        if (changes.isEmpty()) {
            throw new IllegalArgumentException("an addition needs at least one change");
        }
    }

    /** Estimated heap size, in bytes. */
    public long heapBytes() {
        return HEAP_BYTES + item.heapBytes()
                + (changes instanceof WholeSums sums ? sums.heapBytes() : CHANGE_BYTES * changes.size());
    }
}
