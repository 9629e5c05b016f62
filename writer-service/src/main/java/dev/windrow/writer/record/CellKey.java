package dev.windrow.writer.record;

import java.util.Comparator;

import org.jspecify.annotations.Nullable;

import dev.windrow.scatter.Murmur3;

/** The target of one update: all sums of a bucket, or one of its extremes. */
public record CellKey(BucketItem item, @Nullable String extreme) implements Comparable<CellKey> {

    private static final Comparator<CellKey> ORDER = Comparator.comparing(CellKey::item).thenComparing(CellKey::extreme,
            Comparator.nullsFirst(Comparator.naturalOrder()));
    private static final char BETWEEN = '\n';

    /** Returns the hash by which a lane's item names the cell. */
    public long hash() {
        return Murmur3.hash64(item.partitionKey() + BETWEEN + item.sortKey() + (extreme == null ? "" : BETWEEN + extreme));
    }

    /** For maps, in which keys may have equal hashes; see {@link dev.windrow.table.Label}. */
    @Override
    public int compareTo(CellKey other) {
        return ORDER.compare(this, other);
    }
}
