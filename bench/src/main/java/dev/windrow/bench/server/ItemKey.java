package dev.windrow.bench.server;

/** An item's key, ordered by sort key within a partition. */
public record ItemKey(String partition, String sort) implements Comparable<ItemKey> {

    @Override
    public int compareTo(ItemKey other) {
        // The order of partitions is arbitrary, and comparing hashes is cheaper than comparing texts with equal prefixes.
        int order = Integer.compare(partition.hashCode(), other.partition.hashCode());
        order = order == 0 ? partition.compareTo(other.partition) : order;
        return order == 0 ? sort.compareTo(other.sort) : order;
    }
}
