package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Granularity;
import dev.windrow.table.Freshness;
import dev.windrow.table.Freshness.Watermark;

/**
 * How fresh the table's buckets are, as the journal's lanes showed it before any bucket was read.
 *
 * @param lanes what the lanes show, perhaps a while ago; empty if they never could be read
 * @param abandoned the lanes whose work no writer does
 * @param failure why the latest reading of the lanes failed, if it did
 */
public record TableFreshness(Optional<Freshness> lanes, List<AbandonedLane> abandoned, Optional<Reason> failure) {

    public static final TableFreshness UNKNOWN = new TableFreshness(Optional.empty(), List.of(), Optional.empty());

    /** When the lanes were read; empty if they never could be. */
    public Optional<Instant> readAt() {
        return lanes.map(read -> Instant.ofEpochMilli(read.readMillis()));
    }

    /** The earliest bucket start that may lack something; {@link TimeRange#END} if none does, as far as is known. */
    public Instant lagsFrom(Granularity granularity) {
        return lanes.map(read -> read.lagsFrom(granularity.name()).stream()
                .map(start -> Math.max(start, TimeRange.ALL.from().getEpochSecond()))
                .mapToObj(Instant::ofEpochSecond).findFirst().orElse(TimeRange.END)).orElse(TimeRange.END);
    }

    /** Whether buckets that start before an instant may lack something, or it is not known. */
    boolean mayLag(Granularity granularity, Instant before) {
        return failure.isPresent() || lagsFrom(granularity).isBefore(before);
    }

    /** Whether buckets of a plan may lack something, or it is not known. */
    public boolean mayLag(QueryPlan plan) {
        return failure.isPresent() || plan.stages().stream().filter(stage -> !stage.shards().isEmpty())
                .anyMatch(stage -> mayLag(stage.granularity(), stage.until()));
    }

    /**
     * Up to when claimed events are in buckets that start before an instant.
     *
     * @return empty if it is not known
     */
    public Optional<Instant> asOf(Granularity granularity, Instant before) {
        return lanes.map(read -> Instant.ofEpochMilli(read.asOf(granularity.name(), before.getEpochSecond())));
    }

    /** The same for all buckets of a plan; when the lanes were read if it has none. */
    public Optional<Instant> asOf(QueryPlan plan) {
        return readAt().map(read -> plan.stages().stream().filter(stage -> !stage.shards().isEmpty())
                .flatMap(stage -> asOf(stage.granularity(), stage.until()).stream())
                .reduce(read, TimeRange::earlier));
    }

    /** The same of one plan only: with the abandoned lanes whose work it may lack. */
    public TableFreshness of(QueryPlan plan) {
        return new TableFreshness(lanes,
                abandoned.stream().filter(lane -> plan.stages().stream().anyMatch(lane::concerns)).toList(), failure);
    }

    /**
     * A lane of the journal whose work no writer does.
     *
     * @param holder who held it last; empty if it was released with work left
     * @param watermarks the granularities that lack some of that work
     */
    public record AbandonedLane(int number, String holder, List<Watermark> watermarks) {

        /** Whether a stage of a plan may lack some of that work. */
        boolean concerns(QueryPlan.Stage stage) {
            return watermarks.stream().anyMatch(watermark -> watermark.granularity().equals(stage.granularity().name())
                    && watermark.earliestStart() < stage.until().getEpochSecond());
        }
    }
}
