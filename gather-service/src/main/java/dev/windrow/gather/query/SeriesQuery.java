package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.key.Label;
import dev.windrow.time.Granularity;

/**
 * One label's buckets over time.
 *
 * @param scope whose
 * @param label whose series
 * @param granularity one that is stored
 * @param range of bucket starts, aligned to the granularity
 * @param mostPoints most buckets of the answer
 * @param options how to read
 */
public record SeriesQuery(Scope scope, Label label, Granularity granularity, TimeRange range, int mostPoints,
        ReadOptions options) {

    /** Reads the parameters. */
    public static SeriesQuery of(Scope scope, Parameters parameters, QueryContext context) {
        Granularity granularity = scope.granularity(parameters, scope.dataset().granularities(), "that are stored");
        return new SeriesQuery(scope, scope.label(parameters), granularity,
                context.times(parameters).range().alignedTo(granularity), context.limits().mostPoints(),
                ReadOptions.of(parameters, context));
    }

    /** The reads. */
    public Plan plan() {
        return new Plan(List.of(new TablePlanner(scope, label, false).stage(granularity, range, false)));
    }
}
