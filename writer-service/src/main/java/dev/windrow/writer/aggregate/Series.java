package dev.windrow.writer.aggregate;

import dev.windrow.key.SeriesKey;

/**
 * A series and its partition key, which is written once for all shares of it: writing and checking keys costs more than
 * counting an event.
 *
 * @param key the series
 * @param partitionKey what series are told apart by
 */
record Series(SeriesKey key, String partitionKey) {

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Series series && partitionKey.equals(series.partitionKey));
    }

    @Override
    public int hashCode() {
        // Multiplied, as labels that differ in some digits only would crowd in a map.
        int hash = partitionKey.hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 16;
    }
}
