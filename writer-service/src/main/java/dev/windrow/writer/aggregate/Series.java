package dev.windrow.writer.aggregate;

import java.util.List;

import dev.windrow.base.InvalidInputException;
import dev.windrow.table.SeriesKey;
import dev.windrow.writer.message.HeapSize;

/**
 * A series and its partition key, encoded once for all its events: encoding and checking keys costs more than counting an
 * event.
 *
 * @param key the series
 * @param partitionKey of the table
 * @param sortKeyEnd how the table's sort keys end; together with the partition key, it identifies the series
 * @param heapBytes estimated heap size
 */
record Series(SeriesKey key, String partitionKey, String sortKeyEnd, long heapBytes) {

    /** The objects of a series and its keys, and its cache entry. */
    private static final long HEAP_BYTES = 240;

    /**
     * A series with its keys.
     *
     * @throws InvalidInputException if the partition key is too long, or not well-formed text
     */
    static Series of(SeriesKey key) {
        String partitionKey = key.partitionKey();
        String sortKeyEnd = key.sortKeyEnd();
        return new Series(key, partitionKey, sortKeyEnd, HEAP_BYTES + HeapSize.of(partitionKey) + HeapSize.of(sortKeyEnd)
                + key.label().values().stream().mapToLong(HeapSize::of).sum());
    }

    /** Whether it is that series of its dataset. */
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
        return this == other || (other instanceof Series series && partitionKey.equals(series.partitionKey)
                && sortKeyEnd.equals(series.sortKeyEnd));
    }

    @Override
    public int hashCode() {
        // Multiplied, as labels that differ in some digits only would crowd in a map, which folds the upper half in itself.
        return (31 * sortKeyEnd.hashCode() + partitionKey.hashCode()) * 0x9E3779B9;
    }
}
