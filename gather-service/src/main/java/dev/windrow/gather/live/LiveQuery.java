package dev.windrow.gather.live;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.windrow.base.Durations;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.Granularity;

/**
 * A query for buckets as they change.
 *
 * @param granularity of the buckets; indexed
 * @param window how far back buckets are watched
 */
public record LiveQuery(DatasetScope scope, Granularity granularity, Duration window, LabelSelection selection,
        QueryOptions options) {

    /**
     * Buckets watched by default: the current one and the previous one, for late events and late writes. If buckets are longer
     * than the longest window, the previous one is watched for that long after its end.
     */
    private static final int DEFAULT_BUCKETS = 2;

    public static LiveQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        LabelSelection selection = scope.selection(parameters);
        Granularity granularity = scope.granularity(parameters, selection);
        Duration maximum = context.limits().maxWindow();
        Duration window = parameters.parsed(QueryParameter.WINDOW,
                text -> TimeParameters.span(text).filter(span -> span.compareTo(maximum) <= 0),
                "a number and one of s, m, h, d, w, such as 5m, at most " + Durations.text(maximum))
                .orElseGet(() -> defaultWindow(granularity, maximum));
        // Buckets are shown as long as they are stored. A horizon would differ from client to client, and so prevent sharing.
        return new LiveQuery(scope, granularity, window, selection, QueryOptions.of(parameters, context, Horizons.NONE));
    }

    private static Duration defaultWindow(Granularity granularity, Duration maximum) {
        boolean coarse = granularity.typicalSeconds() > maximum.toSeconds();
        return coarse ? maximum : Duration.ofSeconds((DEFAULT_BUCKETS - 1) * granularity.typicalSeconds());
    }

    /** Returns the starts watched at a time, from the bucket that contains the window's start on. */
    public TimeRange watched(Instant now) {
        Instant from = granularity.floor(TimeRange.later(now.minus(window), Instant.EPOCH));
        return new TimeRange(from, TimeRange.END);
    }

    /**
     * Returns the start from which a client resumes.
     *
     * @param from the earliest start that was watched at the client's last event
     * @param maxAge how long after the end of the bucket that starts there a client may resume
     * @return empty if it is too late, or if no event of this query can have this start
     */
    Optional<Instant> resumable(Instant from, Instant now, Duration maxAge) {
        if (from.isBefore(TimeRange.ALL.from()) || from.isAfter(now)) {
            return Optional.empty();
        }
        Instant start = granularity.floor(from);
        boolean inTime = Duration.between(granularity.end(start), now).compareTo(maxAge) <= 0;
        return inTime ? Optional.of(start) : Optional.empty();
    }

    /** Returns the reads of a range of starts. They bypass the page cache, which may lack the changes that a client missed. */
    public QueryPlan plan(TimeRange range) {
        return new Planner(scope, selection, options).plan(granularity, range, false, Optional.empty()).uncached();
    }
}
