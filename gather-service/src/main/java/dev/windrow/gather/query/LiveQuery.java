package dev.windrow.gather.query;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.windrow.time.Granularity;

/**
 * Changed buckets as they change.
 *
 * @param scope whose
 * @param granularity of the buckets; indexed
 * @param window how far back buckets are watched
 * @param selection which labels
 * @param options how to read
 */
public record LiveQuery(DatasetScope scope, Granularity granularity, Duration window, LabelSelection selection,
        QueryOptions options) {

    /** Buckets watched by default: the current one and the one before, for late events. */
    private static final int DEFAULT_BUCKETS = 2;

    /** Reads the parameters. */
    public static LiveQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.selection(parameters);
        Granularity granularity = scope.granularity(parameters, selection);
        Duration maximum = context.limits().maxWindow();
        Duration window = parameters.parsed(QueryParameter.WINDOW,
                text -> TimeParameters.span(text).filter(span -> span.compareTo(maximum) <= 0),
                "a number and one of s, m, h, d, w, such as 5m, at most " + maximum)
                .orElseGet(() -> defaultWindow(granularity, maximum));
        return new LiveQuery(scope, granularity, window, selection, QueryOptions.of(parameters, context));
    }

    private static Duration defaultWindow(Granularity granularity, Duration maximum) {
        boolean coarse = granularity.typicalSeconds() > maximum.toSeconds();
        return coarse ? Duration.ZERO : Duration.ofSeconds((DEFAULT_BUCKETS - 1) * granularity.typicalSeconds());
    }

    /**
     * The starts watched at a time: those of the buckets from the one that contains the window's start to the current one.
     */
    public TimeRange watched(Instant now) {
        Instant from = granularity.floor(TimeRange.later(now.minus(window), Instant.EPOCH));
        return new TimeRange(from, TimeRange.END);
    }

    /** The reads of a range of starts. */
    public QueryPlan plan(TimeRange range) {
        return new SelectionPlanner(scope, selection, options).plan(granularity, range, false, Optional.empty());
    }
}
