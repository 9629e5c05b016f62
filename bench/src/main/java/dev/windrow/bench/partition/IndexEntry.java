package dev.windrow.bench.partition;

import java.util.List;

/**
 * An item's entry in an index, as far as its cost goes.
 *
 * @param key index partition key and sort key; empty if the item is not in the index
 * @param projection what is projected; entries with equal projections need no write
 * @param bytes its size
 */
public record IndexEntry(List<String> key, Object projection, int bytes) {

    /** No entry: the item lacks an index key, so the index is sparse there. */
    public static final IndexEntry NONE = new IndexEntry(List.of(), List.of(), 0);

    /** Whether the item is in the index. */
    public boolean exists() {
        return !key.isEmpty();
    }

    boolean sameProjection(IndexEntry other) {
        return projection.equals(other.projection);
    }
}
