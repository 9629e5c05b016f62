package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.table.Freshness.Watermark;

/**
 * A lane of the journal whose work no writer does.
 *
 * @param number its number
 * @param holder who held it last; empty if it was released with work left
 * @param watermarks the granularities that lack some of that work
 */
public record AbandonedLane(int number, String holder, List<Watermark> watermarks) {

    public AbandonedLane {
        watermarks = List.copyOf(watermarks);
    }

    /** Whether a stage of a plan may lack some of that work. */
    boolean concerns(QueryPlan.Stage stage) {
        return watermarks.stream().anyMatch(watermark -> watermark.granularity().equals(stage.granularity().name())
                && watermark.earliestStart() < stage.until().getEpochSecond());
    }
}
