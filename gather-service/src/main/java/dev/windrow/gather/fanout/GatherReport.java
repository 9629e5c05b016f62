package dev.windrow.gather.fanout;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

import dev.windrow.gather.query.ShardQuery;
import dev.windrow.reason.Reason;

/** What happened while an answer was gathered. Thread-safe. */
public final class GatherReport {

    private final Map<Reason, SortedSet<String>> failures = new EnumMap<>(Reason.class);
    private int shards;
    private int failedShards;
    private long pages;
    private long items;
    private double readUnits;

    synchronized void addShards(int moreShards) {
        shards += moreShards;
    }

    synchronized void read(ShardPage page) {
        pages++;
        items += page.scannedItems();
        readUnits += page.readUnits();
    }

    synchronized void failed(ShardQuery query, Reason reason) {
        failedShards++;
        failures.computeIfAbsent(reason, absent -> new TreeSet<>()).add(query.partitionKey());
    }

    /** Whether every shard was read to the end of what was wanted of it. */
    public synchronized boolean isComplete() {
        return failedShards == 0;
    }

    /** Whether there were shards to read, and none was read to the end of what was wanted of it. */
    public synchronized boolean isFailed() {
        return failedShards > 0 && failedShards == shards;
    }

    /** The partition keys of failed shards, sorted, by reason. */
    public synchronized Map<Reason, SortedSet<String>> failures() {
        Map<Reason, SortedSet<String>> copy = new EnumMap<>(Reason.class);
        failures.forEach((reason, keys) -> copy.put(reason, new TreeSet<>(keys)));
        return copy;
    }

    /** Shards read. */
    public synchronized int shards() {
        return shards;
    }

    /** Pages read. */
    public synchronized long pages() {
        return pages;
    }

    /** Items read, before filters and before key shards are put together. */
    public synchronized long items() {
        return items;
    }

    /** Read units consumed, as reported by DynamoDB. */
    public synchronized double readUnits() {
        return readUnits;
    }
}
