package dev.windrow.gather.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.windrow.reason.InvalidInputException;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;

/**
 * Cuts a range into the coarsest buckets that tile it and finer ones at its edges, so that a year is a few hundred items
 * and not 525,600. The tiles hold exactly the events of the finest buckets whose starts are in the range.
 *
 * @param granularity of all buckets in the tile
 * @param range their starts, aligned to the granularity
 */
public record Tiling(Granularity granularity, TimeRange range) {

    /**
     * The tiles of a range in order of time.
     *
     * @param stored the granularities at hand, finest first; at least one
     * @param range whose bounds are moved up to the finest granularity
     */
    public static List<Tiling> of(List<Granularity> stored, TimeRange range) {
        Granularity finest = stored.get(0);
        List<Granularity> coarsestFirst = stored.stream().filter(finest::nestsIn).sorted(Comparator.reverseOrder()).toList();
        List<Tiling> tiles = new ArrayList<>();
        TimeRange aligned = range.alignedTo(finest);
        if (aligned.to().isAfter(finest.floor(EventTimes.EARLIEST))) {
            cut(coarsestFirst, aligned, tiles);
        }
        return tiles;
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

    private static void cut(List<Granularity> coarsestFirst, TimeRange range, List<Tiling> tiles) {
        if (range.isEmpty()) {
            return;
        }
        Granularity coarsest = coarsestFirst.get(0);
        List<Granularity> finer = coarsestFirst.subList(1, coarsestFirst.size());
        TimeRange inner = new TimeRange(firstStart(coarsest, range.from()), lastEnd(coarsest, range.to()));
        if (inner.isEmpty() || !inner.to().isAfter(coarsest.floor(EventTimes.EARLIEST))) {
            cut(finer, range, tiles);
            return;
        }
        cut(finer, new TimeRange(range.from(), inner.from()), tiles);
        tiles.add(new Tiling(coarsest, inner));
        cut(finer, new TimeRange(inner.to(), range.to()), tiles);
    }

    /** No event is earlier than the earliest time, so the bucket that holds it is in the range, though it may start before. */
    private static Instant firstStart(Granularity granularity, Instant from) {
        return from.isAfter(EventTimes.EARLIEST)
                ? TimeRange.ceiling(granularity, from)
                : TimeRange.earlier(from, granularity.floor(EventTimes.EARLIEST));
    }

    private static Instant lastEnd(Granularity granularity, Instant to) {
        return to.isBefore(TimeRange.END) ? granularity.floor(to) : to;
    }
}
