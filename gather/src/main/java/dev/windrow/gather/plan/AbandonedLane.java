package dev.windrow.gather.plan;

import java.util.List;

import dev.windrow.table.Watermark;

/**
 * A lane of the journal with work that no writer does.
 *
 * @param holder the last holder; empty if it was released with work left
 * @param watermarks the granularities that lack some of that work
 */
public record AbandonedLane(int number, String holder, List<Watermark> watermarks) {

    /** Whether a stage of a plan may lack some of that work. */
    boolean concerns(QueryPlan.Stage stage) {
        return watermarks.stream().anyMatch(watermark -> watermark.granularity().equals(stage.granularity().name())
                && watermark.earliestStart() < stage.until().getEpochSecond());
    }
}
