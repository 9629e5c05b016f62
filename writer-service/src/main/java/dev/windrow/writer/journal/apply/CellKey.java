package dev.windrow.writer.journal.apply;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.writer.journal.record.BucketItem;

/**
 * What is written by one update at a time: all sums of a bucket together, or one of its extremes.
 *
 * @param item the bucket's item
 * @param extreme the measure; null for the sums
 */
public record CellKey(BucketItem item, @Nullable String extreme) {

    private static final char BETWEEN = '\n';

    /** By what a lane's item names it. */
    public long hash() {
        return Murmur3.hash64(item.partitionKey() + BETWEEN + item.sortKey() + (extreme == null ? "" : BETWEEN + extreme));
    }
}
