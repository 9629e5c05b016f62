package dev.windrow.gather.fanout;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.ShardPage;

/** What happened while an answer was gathered. Thread-safe. */
public final class GatherReport {

    private final QueryOptions options;
    private final QueryPlan plan;
    private final Map<Reason, SortedSet<String>> failures = new EnumMap<>(Reason.class);
    private int shards;
    private int failedShards;
    private long pages;
    private long items;
    private long dropped;
    private double readUnits;

    public GatherReport(QueryOptions options, QueryPlan plan) {
        this.options = options;
        this.plan = plan;
    }

    /** The freshness of the buckets read, with the abandoned lanes whose work they may lack. */
    public TableFreshness freshness() {
        return options.freshness().of(plan);
    }

    /** The time up to which the buckets read contain the claimed events; empty if unknown. */
    public Optional<Instant> asOf() {
        return options.freshness().asOf(plan);
    }

    /** Whether the buckets read may lack claimed events, or this is unknown. */
    public boolean isLagging() {
        return options.freshness().mayLag(plan);
    }

    synchronized void addShards(int moreShards) {
        shards += moreShards;
    }

    synchronized void read(ShardPage page) {
        pages++;
        items += page.scannedItems();
        readUnits += page.readUnits();
    }

    /** Counts the items of a page whose labels are not wanted. */
    synchronized void dropped(ShardPage page) {
        dropped += page.scannedItems() - page.items().size();
    }

    public synchronized void failed(ShardQuery query, Reason reason) {
        failedShards++;
        failures.computeIfAbsent(reason, absent -> new TreeSet<>()).add(query.partitionKey());
    }

    /** Whether no shard failed: each was read as far as wanted. */
    public synchronized boolean isComplete() {
        return failedShards == 0;
    }

    /** Whether there were shards to read and all of them failed. */
    public synchronized boolean isFailed() {
        return failedShards > 0 && failedShards == shards;
    }

    /** The partition keys of failed shards, sorted, by reason. */
    public synchronized Map<Reason, SortedSet<String>> failures() {
        Map<Reason, SortedSet<String>> copy = new EnumMap<>(Reason.class);
        failures.forEach((reason, keys) -> copy.put(reason, new TreeSet<>(keys)));
        return copy;
    }

    public List<Warning> warnings() {
        Stream<Warning> shards = failures().entrySet().stream().map(failure -> new Warning(failure.getKey().word(),
                failure.getValue().size() + " of " + shards() + " shards failed: " + failure.getKey().meaning(),
                List.copyOf(failure.getValue())));
        TableFreshness freshness = freshness();
        Stream<Warning> lanes = freshness.failure().stream().map(reason -> new Warning(reason.word(),
                "the journal's lanes could not be read: " + reason.meaning() + "; "
                        + freshness.readAt().map(read -> "asOf is based on the lanes read at " + read)
                                .orElse("the freshness of the answer is unknown"),
                List.of()));
        Stream<Warning> abandoned = freshness.abandoned().stream().map(lane -> new Warning(Reason.LANE_ABANDONED.word(),
                "events claimed in journal lane " + lane.number()
                        + (lane.holder().isEmpty() ? "" : ", last held by " + lane.holder() + ",")
                        + " may be missing: no writer is applying them",
                List.of()));
        return Stream.of(shards, lanes, abandoned, options.horizons().expired().stream().map(Warning::of),
                options.horizons().rounded().stream().map(Warning::of))
                .flatMap(Function.identity()).toList();
    }

    public synchronized int shards() {
        return shards;
    }

    public synchronized long pages() {
        return pages;
    }

    /** Items read, before filtering and before key shards are combined. */
    public synchronized long items() {
        return items;
    }

    /** Number of items read whose labels are not wanted. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Read units consumed, as reported by DynamoDB. */
    public synchronized double readUnits() {
        return readUnits;
    }

}
