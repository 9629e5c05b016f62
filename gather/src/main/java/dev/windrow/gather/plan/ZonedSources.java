package dev.windrow.gather.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.FittingOffsets;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.range.ZonedBuckets;
import dev.windrow.time.Granularity;

/**
 * The stored granularities that a zone's buckets are summed up from. One that fits in one range may cross local midnights
 * in another, since the zone's offset changes: days fit London in winter, but not in summer. So each range has its own.
 */
public record ZonedSources(ZonedBuckets buckets, List<Granularity> stored, Horizons horizons) {

    /**
     * The coarsest granularity that all buckets of a range can be summed up from.
     *
     * @throws InvalidInputException if there is none
     */
    public Granularity of(TimeRange range) {
        return coarsestFirst().stream().filter(source -> buckets.canBeBuiltFrom(source, range)).findFirst()
                .orElseThrow(() -> unfit(""));
    }

    /** The part of a range of the zone's buckets that exists: buckets built only from stored ones that exist. */
    public TimeRange kept(Granularity source, TimeRange range) {
        Instant horizon = horizons.of(source);
        return horizon.equals(TimeRange.ALL.from()) ? range : Horizons.cut(buckets.ceiling(horizon), range);
    }

    /**
     * Checks that a search can begin: that some granularity fits the nearest year, and so all seasons.
     *
     * @throws InvalidInputException if none does
     */
    public void requireSearchable(TimeRange range, boolean latestFirst) {
        TimeRange read = buckets.read(range);
        if (!range.isEmpty() && new ZonedSources(buckets, stored, Horizons.NONE).nearest(read, latestFirst)
                .filter(part -> isEnough(part.range(), read)).isEmpty()) {
            throw unfit(", also beyond the range, as its gaps are filled from there");
        }
    }

    /**
     * The parts of a range in the order in which a search for the nearest bucket reads them. Each consists of whole buckets
     * and has the coarsest granularity that fits it. The search ends where none fits: no minutes fit Monrovia's offset of
     * 1970.
     *
     * @param range whose bounds are starts of buckets, or open
     */
    public List<Tiling> search(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = new ArrayList<>();
        TimeRange left = buckets.read(range);
        for (Optional<Tiling> next = nearest(left, latestFirst); next.isPresent(); next = nearest(left, latestFirst)) {
            parts.add(next.get());
            TimeRange read = next.get().range();
            left = latestFirst ? new TimeRange(left.from(), read.from()) : new TimeRange(read.to(), left.to());
        }
        return parts;
    }

    /** How far a search goes: to the range's other bound, unless nothing fits before. */
    public Instant reach(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = search(range, latestFirst);
        Instant nearest = latestFirst ? range.to() : range.from();
        TimeRange last = parts.isEmpty() ? new TimeRange(nearest, nearest) : parts.get(parts.size() - 1).range();
        return latestFirst ? last.from() : last.to();
    }

    /** The part read first: of the coarsest granularity that fits in all seasons, else of the one that fits the longest. */
    private Optional<Tiling> nearest(TimeRange range, boolean latestFirst) {
        List<Tiling> parts = coarsestFirst().stream().map(source -> new Tiling(source, part(source, range, latestFirst)))
                .filter(part -> !part.range().isEmpty()).toList();
        return parts.stream().filter(part -> isEnough(part.range(), range)).findFirst()
                .or(() -> parts.stream().max(Comparator.comparing(part -> length(part.range()))));
    }

    private TimeRange part(Granularity source, TimeRange whole, boolean latestFirst) {
        TimeRange range = kept(source, whole);
        if (range.isEmpty() || buckets.canBeBuiltFrom(source, range)) {
            return range;
        }
        boolean fitsAtTimes = !buckets.isCutInUtc() && source.nestsIn(Granularity.DAY);
        if (!fitsAtTimes || !ZonedBuckets.isBound(source, latestFirst ? range.to() : range.from())) {
            return new TimeRange(range.to(), range.to());
        }
        FittingOffsets offsets = new FittingOffsets(buckets.zone(), source.typicalSeconds());
        return latestFirst ? new TimeRange(firstStart(source, offsets.since(range)), range.to())
                : new TimeRange(range.from(), lastEnd(source, offsets.until(range)));
    }

    /** Excludes a bucket in which the offset changes, and one that begins at the change, if within a stored bucket. */
    private Instant firstStart(Granularity source, Instant time) {
        Instant start = buckets.ceiling(time);
        return source.isStart(start) && !start.isBefore(time) ? start : buckets.end(start);
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
        return Parameters.invalid(QueryParameter.GRANULARITY, "cannot be built from the available ones ("
                + String.join(", ", stored.stream().map(Granularity::name).toList()) + ") in the zone " + buckets.zone()
                + where);
    }
}
