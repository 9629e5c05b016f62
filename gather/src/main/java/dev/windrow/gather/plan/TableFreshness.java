package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.Reason;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Freshness;
import dev.windrow.time.Granularity;

/**
 * The freshness of the table's buckets, as shown by the journal's lanes before any bucket was read.
 *
 * @param lanes what the lanes showed when they were last read; empty if they never could be read
 * @param abandoned the lanes with work that no writer does
 * @param failure why the latest reading of the lanes failed, if it did
 */
public record TableFreshness(Optional<Freshness> lanes, List<AbandonedLane> abandoned, Optional<Reason> failure) {

    public static final TableFreshness UNKNOWN = new TableFreshness(Optional.empty(), List.of(), Optional.empty());

    /** When the lanes were read; empty if they never could be. */
    public Optional<Instant> readAt() {
        return lanes.map(read -> Instant.ofEpochMilli(read.readMillis()));
    }

    /** The start of the earliest bucket that may lack events; {@link TimeRange#END} if none is known to. */
    public Instant lagsFrom(Granularity granularity) {
        return lanes.map(read -> read.lagsFrom(granularity.name()).stream()
                .map(start -> Math.max(start, TimeRange.ALL.from().getEpochSecond()))
                .mapToObj(Instant::ofEpochSecond).findFirst().orElse(TimeRange.END)).orElse(TimeRange.END);
    }

    /** Whether buckets that start before an instant may lack events, or this is unknown. */
    public boolean mayLag(Granularity granularity, Instant before) {
        return failure.isPresent() || lagsFrom(granularity).isBefore(before);
    }

    /** Whether buckets of a plan may lack events, or this is unknown. */
    public boolean mayLag(QueryPlan plan) {
        return failure.isPresent() || plan.stages().stream().filter(stage -> !stage.shards().isEmpty())
                .anyMatch(stage -> mayLag(stage.granularity(), stage.until()));
    }

    /**
     * The time up to which buckets that start before an instant contain the claimed events.
     *
     * @return empty if it is unknown
     */
    public Optional<Instant> asOf(Granularity granularity, Instant before) {
        return lanes.map(read -> Instant.ofEpochMilli(read.asOf(granularity.name(), before.getEpochSecond())));
    }

    /** The same for all buckets of a plan; the time when the lanes were read if it has none. */
    public Optional<Instant> asOf(QueryPlan plan) {
        return readAt().map(read -> plan.stages().stream().filter(stage -> !stage.shards().isEmpty())
                .flatMap(stage -> asOf(stage.granularity(), stage.until()).stream())
                .reduce(read, TimeRange::earlier));
    }

    /** The freshness of one plan: with only the abandoned lanes whose work it may lack. */
    public TableFreshness of(QueryPlan plan) {
        return new TableFreshness(lanes,
                abandoned.stream().filter(lane -> plan.stages().stream().anyMatch(lane::concerns)).toList(), failure);
    }

}
