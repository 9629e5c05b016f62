package dev.windrow.writer.aggregate;

import java.util.List;

import dev.windrow.table.SeriesKey;
import dev.windrow.writer.decode.HeapSize;

/**
 * A series and its partition key, encoded once for all its events: encoding and checking keys costs more than counting an
 * event.
 *
 * @param sortKeyEnd the end of the table's sort keys; together with the partition key, it identifies the series
 */
record ResolvedSeries(SeriesKey key, String partitionKey, String sortKeyEnd,
        long heapBytes) implements Comparable<ResolvedSeries> {

    /** The objects of a series and its keys, and its cache entry. */
    private static final long HEAP_BYTES = 240;

    /** Creates a series with its keys. Fails if the partition key is too long or not well-formed text. */
    static ResolvedSeries of(SeriesKey key) {
        String partitionKey = key.partitionKey();
        String sortKeyEnd = key.sortKeyEnd();
        return new ResolvedSeries(key, partitionKey, sortKeyEnd,
                HEAP_BYTES + HeapSize.of(partitionKey) + HeapSize.of(sortKeyEnd)
                        + key.label().values().stream().mapToLong(HeapSize::of).sum());
    }

    /** Whether this is the series of its dataset with these values. */
    boolean is(String tenant, String[] values, int keyShard) {
        List<String> label = key.label().values();
        boolean is = key.keyShard() == keyShard && label.size() == values.length && key.tenant().equals(tenant);
        for (int i = 0; is && i < values.length; i++) {
            is = label.get(i).equals(values[i]);
        }
        return is;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof ResolvedSeries series && partitionKey.equals(series.partitionKey)
                && sortKeyEnd.equals(series.sortKeyEnd));
    }

    @Override
    public int hashCode() {
        // Multiplied, as labels that differ only in some digits would cluster in a map, which folds in the upper half.
        return (31 * sortKeyEnd.hashCode() + partitionKey.hashCode()) * 0x9E3779B9;
    }

    /** For maps, in which keys may have equal hashes; see {@link dev.windrow.table.Label}. */
    @Override
    public int compareTo(ResolvedSeries other) {
        int order = sortKeyEnd.compareTo(other.sortKeyEnd);
        return order != 0 ? order : partitionKey.compareTo(other.partitionKey);
    }
}
