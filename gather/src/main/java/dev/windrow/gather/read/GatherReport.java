package dev.windrow.gather.read;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.Horizons.Expired;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.quarkus.runtime.annotations.RegisterForReflection;

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

    GatherReport(QueryOptions options, QueryPlan plan) {
        this.options = options;
        this.plan = plan;
    }

    /** How fresh the buckets read are; abandoned lanes are those whose work these may lack. */
    public TableFreshness freshness() {
        return options.freshness().of(plan);
    }

    /** Up to when claimed events are in the buckets read; empty if it is not known. */
    public Optional<Instant> asOf() {
        return options.freshness().asOf(plan);
    }

    /** Whether the buckets read may lack events that are claimed, or it is not known. */
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

    /** Counts items of a page that are of other labels than wanted. */
    synchronized void dropped(ShardPage page) {
        dropped += page.scannedItems() - page.items().size();
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
        return Stream.of(shards, lanes, abandoned, options.horizons().expired().stream().map(Warning::of))
                .flatMap(Function.identity()).toList();
    }

    public synchronized int shards() {
        return shards;
    }

    public synchronized long pages() {
        return pages;
    }

    /** Items read, before filters and before key shards are put together. */
    public synchronized long items() {
        return items;
    }

    /** How many of these are of other labels than wanted. */
    public synchronized long dropped() {
        return dropped;
    }

    /** Read units consumed, as reported by DynamoDB. */
    public synchronized double readUnits() {
        return readUnits;
    }

    /**
     * What an answer lacks, or may lack, as clients are told.
     *
     * @param reason why, one stable word
     * @param message the same, human-readable
     * @param shards the shards that are missing from the answer, in whole or from some place on
     * @param granularity whose buckets have expired, so that the range is another one than requested
     * @param before the first start that these are kept from
     */
    @RegisterForReflection
    public record Warning(
            @Schema(examples = "timed-out") String reason,
            @Schema(examples = "1 of 10 shards failed: no answer within the time allowed") String message,
            @Schema(examples = "default#clicks#hour#3") List<String> shards,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "minute") @Nullable String granularity,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant before) {

        public Warning(String reason, String message, List<String> shards) {
            this(reason, message, shards, null, null);
        }

        static Warning of(Expired expired) {
            String name = expired.granularity().name();
            return new Warning(Reason.EXPIRED.word(), name + " buckets before " + expired.before()
                    + " have expired, so the range's bounds moved up to buckets that exist", List.of(), name, expired.before());
        }
    }
}
