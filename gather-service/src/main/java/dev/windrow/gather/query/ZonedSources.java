package dev.windrow.gather.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Granularity;

/**
 * The stored granularities that a zone's buckets are summed up from. One that fits in one range may cross local midnights in
 * another, since the zone's offset changes: days fit London in winter, but not in summer. So each range has its own.
 *
 * @param buckets of the zone
 * @param stored the available granularities, finest first
 */
record ZonedSources(ZonedBuckets buckets, List<Granularity> stored) {

    /**
     * The coarsest granularity that all buckets of a range can be summed up from.
     *
     * @throws InvalidInputException if there is none
     */
    Granularity of(TimeRange range) {
        return coarsestFirst().stream().filter(source -> buckets.canBeBuiltFrom(source, range)).findFirst()
                .orElseThrow(() -> unfit(""));
    }

    /**
     * Checks that a search can begin: that some granularity fits the nearest year, and so all seasons.
     *
     * @throws InvalidInputException if none does
     */
    void requireSearchable(TimeRange range, boolean latestFirst) {
        if (!range.isEmpty() && nearest(range, latestFirst).filter(part -> isEnough(part.range(), range)).isEmpty()) {
            throw unfit(", also beyond the range, as its gaps are filled from there");
        }
    }

    /**
     * The parts of a range in the order in which a search for the nearest bucket reads them, each with the coarsest granularity
     * that fits it, and each of whole buckets. The search ends where none fits, as Monrovia's offset of 1970 fits no minutes.
     *
     * @param range whose bounds are starts of buckets, or open
     */
    List<Tiling> search(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = new ArrayList<>();
        TimeRange left = range;
        Optional<Tiling> next = nearest(left, latestFirst);
        while (next.isPresent()) {
            parts.add(next.get());
            TimeRange read = next.get().range();
            left = latestFirst ? new TimeRange(left.from(), read.from()) : new TimeRange(read.to(), left.to());
            next = nearest(left, latestFirst);
        }
        return parts;
    }

    /** How far a search goes: to the range's other bound, unless nothing fits before. */
    Instant reach(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = search(range, latestFirst);
        Instant nearest = latestFirst ? range.to() : range.from();
        return parts.isEmpty() ? nearest : bound(parts.get(parts.size() - 1).range(), latestFirst);
    }

    private static Instant bound(TimeRange last, boolean latestFirst) {
        return latestFirst ? last.from() : last.to();
    }

    /** The part read first: of the coarsest granularity that fits in all seasons, else of the one that fits the longest. */
    private Optional<Tiling> nearest(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = coarsestFirst().stream().map(source -> new Tiling(source, part(source, range, latestFirst)))
                .filter(part -> !part.range().isEmpty()).toList();
        return parts.stream().filter(part -> isEnough(part.range(), range)).findFirst()
                .or(() -> parts.stream().max(Comparator.comparing(part -> length(part.range()))));
    }

    private TimeRange part(Granularity source, TimeRange range, boolean latestFirst) {
        if (buckets.canBeBuiltFrom(source, range)) {
            return range;
        }
        Optional<FittingOffsets> offsets = buckets.offsetsFor(source)
                .filter(fitting -> ZonedBuckets.isBound(source, latestFirst ? range.to() : range.from()));
        if (latestFirst) {
            Instant from = offsets.map(fitting -> firstStart(source, fitting.since(range))).orElse(range.to());
            return new TimeRange(from, range.to());
        }
        Instant to = offsets.map(fitting -> lastEnd(source, fitting.until(range))).orElse(range.from());
        return new TimeRange(range.from(), to);
    }

    /** A bucket in which the offset changes is not of the part, nor one that begins as it changes, if within a stored one. */
    private Instant firstStart(Granularity source, Instant time) {
        Instant start = buckets.ceiling(time);
        return source.isStart(start) ? start : buckets.end(start);
    }

    private Instant lastEnd(Granularity source, Instant time) {
        Instant end = buckets.floor(time);
        return source.isStart(end) ? end : buckets.floor(end.minusNanos(1));
    }

    private static boolean isEnough(TimeRange part, TimeRange whole) {
        return part.equals(whole) || length(part).compareTo(FittingOffsets.ALL_SEASONS) >= 0;
    }

    private static Duration length(TimeRange range) {
        return Duration.between(range.from(), range.to());
    }

    private List<Granularity> coarsestFirst() {
        return stored.stream().sorted(Comparator.reverseOrder()).toList();
    }

    private InvalidInputException unfit(String where) {
        return Parameters.invalid(QueryParameter.GRANULARITY, "expected one that can be built from the available ones ("
                + String.join(", ", stored.stream().map(Granularity::name).toList()) + ") in the zone " + buckets.zone()
                + where);
    }
}
