package dev.windrow.writer.record;

import org.jspecify.annotations.Nullable;

/**
 * A bucket's item, resolved: applying an addition to it needs no declaration of its dataset, which may have changed since.
 * Two are equal if they are the same item of the table; index keys do not count.
 *
 * @param index its index keys; null if it is not indexed
 */
public record BucketItem(String partitionKey, String sortKey, @Nullable IndexKey index) implements Comparable<BucketItem> {

    /** Both records, and their strings without characters. */
    private static final long HEAP_BYTES = 260;

    /** Estimated heap size, in bytes. Items of one series share its key, which may take two bytes a character. */
    public long heapBytes() {
        return HEAP_BYTES + partitionKey.length() + 2L * sortKey.length()
                + (index == null ? 0L : index.partitionKey().length() + 2L * index.sortKey().length());
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof BucketItem item && sortKey.equals(item.sortKey)
                && partitionKey.equals(item.partitionKey));
    }

    @Override
    public int hashCode() {
        // Multiplied, as keys that differ in a few digits only would crowd in a map, which folds the upper half in itself.
        return (31 * partitionKey.hashCode() + sortKey.hashCode()) * 0x9E3779B9;
    }

    /** For maps, in which keys may have equal hashes; see {@link dev.windrow.table.Label}. */
    @Override
    public int compareTo(BucketItem other) {
        int order = partitionKey.compareTo(other.partitionKey);
        return order != 0 ? order : sortKey.compareTo(other.sortKey);
    }
}
