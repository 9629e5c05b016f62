package dev.windrow.bench.table;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;

import dev.windrow.bench.partition.IndexEntry;

/**
 * The items of one table and its index. The index may lag: an entry shows once its time has come. Not thread-safe: the
 * server's event loop is its only user.
 */
final class MemoryTable {

    private static final NavigableMap<Position, Item> EMPTY = Collections.unmodifiableNavigableMap(new TreeMap<>());

    private final TableKeys keys;
    private final Map<String, NavigableMap<Position, Item>> partitions = new HashMap<>();
    private final Map<String, NavigableMap<Position, Item>> indexPartitions = new HashMap<>();
    private final PriorityQueue<Pending> pending = new PriorityQueue<>();
    private long version;
    private long items;

    /** An index entry on its way. */
    private record Pending(long due, long sequence, Item before, Item after) implements Comparable<Pending> {
        @Override
        public int compareTo(Pending other) {
            return due == other.due ? Long.compare(sequence, other.sequence) : Long.compare(due, other.due);
        }
    }

    MemoryTable(TableKeys keys) {
        this.keys = keys;
    }

    TableKeys keys() {
        return keys;
    }

    /** Grows with each change. */
    long version() {
        return version;
    }

    long items() {
        return items;
    }

    Item get(String partition, String sort) {
        return partitions.getOrDefault(partition, EMPTY).getOrDefault(Position.before(sort), Item.NONE);
    }

    /**
     * Replaces an item.
     *
     * @param now the model's time
     * @param lag until the index shows it
     */
    void put(Item before, Item after, long now, Duration lag) {
        version++;
        String partition = requiredKey(after, keys.partition());
        String sort = requiredKey(after, keys.sort());
        items += before.exists() ? 0 : 1;
        partitions.computeIfAbsent(partition, key -> new TreeMap<>()).put(Position.before(sort), after);
        if (lag.isZero() && pending.isEmpty()) {
            index(before, after);
        } else {
            // Never before what waits already: the index applies an item's changes in their order.
            pending.add(new Pending(now + lag.toNanos(), version, before, after));
        }
    }

    /** A partition of the table, sorted. */
    NavigableMap<Position, Item> partition(String key) {
        return partitions.getOrDefault(key, EMPTY);
    }

    /** A partition of the index as it shows at that time, sorted. */
    NavigableMap<Position, Item> indexPartition(String key, long now) {
        while (!pending.isEmpty() && pending.peek().due() <= now) {
            Pending due = pending.remove();
            index(due.before(), due.after());
        }
        return indexPartitions.getOrDefault(key, EMPTY);
    }

    private void index(Item before, Item after) {
        IndexEntry old = before.entry(keys);
        IndexEntry fresh = after.entry(keys);
        if (old.exists() && !old.key().equals(fresh.key())) {
            indexPartitions.getOrDefault(old.key().get(0), EMPTY).remove(position(before, old));
        }
        if (fresh.exists()) {
            indexPartitions.computeIfAbsent(fresh.key().get(0), key -> new TreeMap<>()).put(position(after, fresh), after);
        }
    }

    private Position position(Item item, IndexEntry entry) {
        return new Position(entry.key().get(1), requiredKey(item, keys.partition()), requiredKey(item, keys.sort()));
    }

    static String requiredKey(Item item, String name) {
        String key = item.key(name);
        if (key == null || key.isEmpty()) {
            throw Refusal.invalid("One or more parameter values were invalid: Missing the key " + name + " in the item");
        }
        return key;
    }
}
