package dev.windrow.bench.server;

/** An item's key, in the order of sort keys within a partition. */
public record Key(String partition, String sort) implements Comparable<Key> {

    @Override
    public int compareTo(Key other) {
        // Partitions have no order, and comparing their hashes is cheaper than comparing texts that begin alike.
        int order = Integer.compare(partition.hashCode(), other.partition.hashCode());
        order = order == 0 ? partition.compareTo(other.partition) : order;
        return order == 0 ? sort.compareTo(other.sort) : order;
    }
}
