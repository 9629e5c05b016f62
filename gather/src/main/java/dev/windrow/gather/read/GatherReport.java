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

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.Horizons.Expired;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.plan.TimeRange;
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

    synchronized void failed(ShardQuery query, Reason reason) {
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

    /**
     * A warning to clients about data that an answer lacks or may lack.
     *
     * @param reason one stable word
     * @param message the reason, human-readable
     * @param shards the shards missing from the answer, entirely or from some position on
     * @param granularity the one whose buckets have expired, so that the range differs from the requested one
     * @param before the first start that is still kept
     * @param from the first bound of the range really covered, if the requested one lies within a bucket
     * @param to its last bound
     */
    @RegisterForReflection
    public record Warning(
            @Schema(examples = "timed-out") String reason,
            @Schema(examples = "1 of 10 shards failed: no answer within the time allowed") String message,
            @Schema(examples = "default#clicks#hour#3") List<String> shards,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "minute") @Nullable String granularity,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant before,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant from,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to) {

        public Warning(String reason, String message, List<String> shards) {
            this(reason, message, shards, null, null, null, null);
        }

        static Warning of(Expired expired) {
            String name = expired.granularity().name();
            return new Warning(Reason.EXPIRED.word(), name + " buckets before " + expired.before()
                    + " have expired, so the range is that of buckets that exist", List.of(), name, expired.before(), null,
                    null);
        }

        /** Whether the same query may be answered without it: that bounds lie within buckets stays so. */
        @JsonIgnore
        public boolean isTransient() {
            return !reason.equals(Reason.ROUNDED.word());
        }

        static Warning of(TimeRange covered) {
            return new Warning(Reason.ROUNDED.word(), "bounds of the range lie within buckets, so it covers "
                    + covered.from() + " to " + covered.to(), List.of(), null, null, covered.from(), covered.to());
        }
    }
}
