package dev.windrow.gather.query;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Granularity;

/**
 * Cuts a range into the coarsest buckets that tile it and finer ones at its edges, so that a year is a few hundred items
 * and not 525,600. The tiles hold exactly the events of the finest buckets whose starts are in the range.
 *
 * @param granularity of all buckets in the tile
 * @param range their starts, aligned to the granularity
 */
public record Tiling(Granularity granularity, TimeRange range) {

    /** The tiles of a range if all buckets are whole. */
    static List<Tiling> of(List<Granularity> stored, TimeRange range) {
        return of(stored, range, TableFreshness.UNKNOWN);
    }

    /**
     * The tiles of a range in order of time. From the start on from which a granularity lags, they are finer ones if these are
     * fresher and few enough.
     *
     * @param stored the available granularities, finest first; at least one
     * @param range whose bounds are moved up to the finest granularity
     */
    public static List<Tiling> of(List<Granularity> stored, TimeRange range, TableFreshness freshness) {
        Granularity finest = stored.get(0);
        List<Granularity> coarsestFirst = stored.stream().filter(finest::nestsIn).sorted(Comparator.reverseOrder()).toList();
        TimeRange aligned = range.alignedTo(finest);
        return aligned.to().isAfter(finest.floor(EventTimes.EARLIEST))
                ? new TileCutter(freshness).cut(coarsestFirst, aligned)
                : List.of();
    }

    /** About how many buckets of one label it reads: events are rare after {@code now}. */
    long buckets(Instant now) {
        long seconds = Duration.between(range.from(), TimeRange.earlier(range.to(), TimeRange.later(now, range.from())))
                .toSeconds();
        return 1 + seconds / granularity.typicalSeconds();
    }

    /**
     * The range with its bounds moved up to the finest granularity, so that any granularities tile it.
     *
     * @throws InvalidInputException if only totals of all time are stored, but the request has a range
     */
    static TimeRange aligned(DatasetScope scope, List<Granularity> stored, TimeRange requested, Parameters parameters) {
        Granularity finest = stored.get(0);
        if (finest.equals(Granularity.FOREVER) && !requested.equals(TimeRange.ALL)) {
            throw Parameters.invalid(parameters.firstOf(QueryParameter.LAST, QueryParameter.FROM, QueryParameter.TO),
                    "expected no range, as dataset " + scope.dataset().name() + " keeps only totals of all time here");
        }
        TimeRange aligned = requested.alignedTo(finest);
        // Open stays open: months and years begin later than the earliest week does.
        return requested.from().equals(TimeRange.ALL.from()) ? new TimeRange(requested.from(), aligned.to()) : aligned;
    }
}
