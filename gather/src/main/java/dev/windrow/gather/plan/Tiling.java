package dev.windrow.gather.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
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
     * Maximum number of finer buckets of a label to read instead of coarse ones that lag: enough for all minutes of a day, but
     * not of a year, while old events are imported.
     */
    private static final int MAX_FINER_BUCKETS = 2_000;

    /**
     * The tiles of a range in order of time. Where a granularity lags, they are finer ones if these are fresher and few enough.
     *
     * @param stored the available granularities, finest first; at least one
     * @param range its bounds are bounds of buckets that exist, or are moved up to the finest granularity
     */
    public static List<Tiling> of(List<Granularity> stored, TimeRange range, TableFreshness freshness, Horizons horizons) {
        Optional<Granularity> exact = SummedRange.exact(stored, range, horizons);
        Granularity first = exact.orElse(stored.get(0));
        TimeRange aligned = exact.isPresent() ? range : horizons.cut(first, range.alignedTo(first));
        return aligned.to().isAfter(first.floor(EventTimes.EARLIEST))
                ? new TileCutter(stored, freshness, horizons, first).cut(from(stored, first), aligned)
                : List.of();
    }

    /** The granularities that may follow one: those in which it nests, and finer ones for the end; coarsest first. */
    private static List<Granularity> from(List<Granularity> stored, Granularity first) {
        return stored.stream().filter(any -> any.compareTo(first) < 0 || first.nestsIn(any)).sorted(Comparator.reverseOrder())
                .toList();
    }

    /** The approximate number of buckets it reads for one label: events after {@code now} are rare. */
    long buckets(Instant now) {
        long seconds = Duration.between(range.from(), TimeRange.earlier(range.to(), TimeRange.later(now, range.from())))
                .toSeconds();
        return 1 + seconds / granularity.typicalSeconds();
    }

    /** @param first the granularity at the start of the range; finer ones come only after coarser ones */
    private record TileCutter(List<Granularity> stored, TableFreshness freshness, Horizons horizons, Granularity first) {

        /**
         * The tiles of a range, in order of time: as coarse as possible, except for buckets that lag. Instead of those, finer
         * ones are read even if the lanes show them to be no fresher: they may hold more if a writer was killed, and a growing
         * range has read them before. So a sum does not fall when a coarse bucket becomes complete.
         *
         * @param coarsestFirst the granularities that it may consist of
         * @param range its bounds are bounds of buckets that exist
         */
        List<Tiling> cut(List<Granularity> coarsestFirst, TimeRange range) {
            if (range.isEmpty()) {
                return List.of();
            }
            Granularity coarsest = coarsestFirst.get(0);
            List<Granularity> finer = coarsestFirst.subList(1, coarsestFirst.size());
            TimeRange inner = new TimeRange(firstStart(coarsest, range.from()), lastEnd(coarsest, range.to()));
            if (inner.isEmpty() || !inner.to().isAfter(coarsest.floor(EventTimes.EARLIEST)) || !isUsable(coarsest, range)) {
                return cut(finer, range);
            }
            List<Tiling> tiles = new ArrayList<>(cut(finer, new TimeRange(range.from(), inner.from())));
            tiles.addAll(whole(coarsest, inner));
            tiles.addAll(cut(finer, new TimeRange(inner.to(), range.to())));
            return tiles;
        }

        /** What is finer than the first granularity fills the end, from a bound of the coarser buckets before it. */
        private boolean isUsable(Granularity next, TimeRange range) {
            return next.compareTo(first) >= 0
                    || (next.isStart(range.from()) && !horizons.of(next).isAfter(range.from()));
        }

        private List<Tiling> whole(Granularity coarsest, TimeRange range) {
            Instant earliest = freshness.lagsFrom(coarsest);
            // Not before the range: the all-time bucket starts before everything.
            Instant lagsFrom = earliest.isBefore(range.to()) ? TimeRange.later(range.from(), coarsest.floor(earliest))
                    : range.to();
            List<Tiling> fresher = fresher(coarsest, new TimeRange(lagsFrom, range.to()));
            if (fresher.isEmpty()) {
                return List.of(new Tiling(coarsest, range));
            }
            List<Tiling> tiles = new ArrayList<>();
            TimeRange before = new TimeRange(range.from(), lagsFrom);
            if (!before.alignedTo(coarsest).isEmpty()) {
                tiles.add(new Tiling(coarsest, before));
            }
            tiles.addAll(fresher);
            return tiles;
        }

        /**
         * Tiles of finer buckets that are at least as fresh as the coarse ones of a range; empty if there are none, some have
         * expired, or they are too many.
         */
        private List<Tiling> fresher(Granularity coarsest, TimeRange lagging) {
            Optional<Granularity> finest = stored.stream().filter(finer -> finer.compareTo(coarsest) < 0
                    && finer.nestsIn(coarsest) && !horizons.of(finer).isAfter(lagging.from())).findFirst();
            if (finest.isEmpty() || lagging.isEmpty()) {
                return List.of();
            }
            List<Tiling> tiles = new TileCutter(stored, freshness, horizons, finest.get()).cut(from(stored, finest.get())
                    .stream().filter(finer -> finer.compareTo(coarsest) < 0).toList(), lagging);
            Instant now = freshness.readAt().orElse(lagging.from());
            boolean few = tiles.stream().mapToLong(tile -> tile.buckets(now)).sum() <= MAX_FINER_BUCKETS;
            Optional<Instant> asOf = tiles.stream()
                    .flatMap(tile -> freshness.asOf(tile.granularity(), tile.range().to()).stream())
                    .reduce(TimeRange::earlier);
            return few && asOf.isPresent() && !asOf.get().isBefore(freshness.asOf(coarsest, lagging.to()).orElse(asOf.get()))
                    ? tiles
                    : List.of();
        }
    }

    /** There are no events before the earliest time, so its bucket is in the range even if it starts earlier. */
    private static Instant firstStart(Granularity granularity, Instant from) {
        return from.isAfter(EventTimes.EARLIEST)
                ? TimeRange.ceiling(granularity, from)
                : TimeRange.earlier(from, granularity.floor(EventTimes.EARLIEST));
    }

    private static Instant lastEnd(Granularity granularity, Instant to) {
        return to.isBefore(TimeRange.END) ? granularity.floor(to) : to;
    }
}
