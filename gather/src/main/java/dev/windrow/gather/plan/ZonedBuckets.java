package dev.windrow.gather.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Granularity;

/**
 * Buckets of a time zone: days, weeks, months and years begin at local midnight (or at the first instant of the day, where the
 * clocks go forward at midnight), so a day may have 23 or 25 hours. Granularities up to an hour are cut in UTC, even where a
 * zone's offset is not a multiple of an hour.
 */
public record ZonedBuckets(Granularity granularity, ZoneId zone) {

    public Instant floor(Instant time) {
        return isCutInUtc() ? granularity.floor(time) : moved(time, granularity::floor);
    }

    public Instant end(Instant start) {
        return isCutInUtc() ? granularity.end(start) : moved(start, granularity::end);
    }

    /** Moves a time's local date like a date of UTC, and returns the local start of the result. */
    private Instant moved(Instant time, UnaryOperator<Instant> inUtc) {
        Instant date = time.atZone(zone).toLocalDate().atStartOfDay(ZoneOffset.UTC).toInstant();
        return inUtc.apply(date).atZone(ZoneOffset.UTC).toLocalDate().atStartOfDay(zone).toInstant();
    }

    public Instant ceiling(Instant time) {
        if (isUtc()) {
            return TimeRange.ceiling(granularity, time);
        }
        Instant floor = floor(time);
        return floor.isBefore(time) ? TimeRange.earlier(end(floor), TimeRange.END) : floor;
    }

    /** The same starts, with both bounds moved up to starts. */
    public TimeRange aligned(TimeRange range) {
        return new TimeRange(bound(range.from()), bound(range.to()));
    }

    /**
     * The range to read for a range of starts. Where clocks go back just after midnight, the end of the previous day repeats
     * after the first minute of the new one. A range of days is then not one range of time, so some of what is read does not
     * {@linkplain #holds belong} to it.
     */
    public TimeRange read(TimeRange range) {
        return new TimeRange(range.from(), lastBegin(range.to()));
    }

    /** Whether all that is read for a range belongs to it. */
    public boolean isReadExactly(TimeRange range) {
        return lastBegin(range.from()).equals(range.from()) && lastBegin(range.to()).equals(range.to());
    }

    private Instant lastBegin(Instant start) {
        return isUtc() || TimeRange.isOpen(start) ? start : start.atZone(zone).withLaterOffsetAtOverlap().toInstant();
    }

    /** The buckets that lie at least partly in a range. */
    public TimeRange around(TimeRange range) {
        return new TimeRange(TimeRange.isOpen(range.from()) ? range.from() : floor(range.from()), bound(range.to()));
    }

    /** The zone whose midnights are bounds of buckets. */
    public ZoneId zoneOfMidnights() {
        return isCutInUtc() ? ZoneOffset.UTC : zone;
    }

    /** The time that belongs to a range, of which a bound that begins a bucket stands for its date. */
    public SumRange summed(SummedRange summed, TimeParameters times) {
        TimeRange range = summed.range();
        return isCutInUtc() ? SumRange.of(summed, times)
                : SumRange.of(range, zone, times.isDate(QueryParameter.FROM) || floor(range.from()).equals(range.from()),
                        times.isDate(QueryParameter.TO) || floor(range.to()).equals(range.to()));
    }

    /** Whether the bucket of a time starts in a range. */
    public boolean holds(TimeRange range, Instant time) {
        Instant start = floor(time);
        return (TimeRange.isOpen(range.from()) || !start.isBefore(range.from()))
                && (TimeRange.isOpen(range.to()) || start.isBefore(range.to()));
    }

    private Instant bound(Instant time) {
        return TimeRange.isOpen(time) ? time : ceiling(time);
    }

    private boolean isUtc() {
        return zone.equals(ZoneOffset.UTC);
    }

    /** Whether these buckets can be summed up from those of a stored granularity, wherever they start in a range. */
    boolean canBeBuiltFrom(Granularity stored, TimeRange range) {
        return isCutInUtc()
                ? stored.nestsIn(granularity)
                : stored.nestsIn(Granularity.DAY) && fits(stored, zone, range, Granularity.DAY)
                        && isBound(stored, range.from()) && isBound(stored, range.to());
    }

    /** Whether a bound is open, or no stored bucket lies across it. */
    static boolean isBound(Granularity stored, Instant time) {
        return TimeRange.isOpen(time) || stored.isStart(time);
    }

    private boolean isCutInUtc() {
        return isUtc() || granularity.unit().compareTo(Granularity.Unit.DAY) < 0 || granularity.equals(Granularity.FOREVER);
    }

    /**
     * Whether no bucket of a stored granularity crosses a border of the zone's hours or days.
     *
     * @param cut hour or day: the unit that the zone's time is cut into
     */
    public static boolean fits(Granularity stored, ZoneId zone, TimeRange range, Granularity cut) {
        FittingOffsets offsets = new FittingOffsets(zone, Math.min(stored.typicalSeconds(), cut.typicalSeconds()));
        // At the first time of the range that an event may have, and from there on.
        return offsets.fit(FittingOffsets.firstTime(range)) && offsets.until(range).equals(range.to());
    }

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
            if (!fitsAtTimes || !isBound(source, latestFirst ? range.to() : range.from())) {
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

    /**
     * The times at which a zone's offset is a multiple of a step, so that buckets of UTC of that length cross no border of the
     * zone's hours or days.
     *
     * @param stepSeconds length of the buckets
     */
    record FittingOffsets(ZoneId zone, long stepSeconds) {

        /** A granularity that fits for this long fits in summer and in winter. */
        static final Duration ALL_SEASONS = Duration.ofDays(400);

        /** Zones' rules repeat yearly after this; a year beyond it covers all cases. */
        private static final Instant LAST_KNOWN_TRANSITION = Instant.parse("2100-01-01T00:00:00Z");

        /** Up to when the offset fits from the start of a range on; the range's end if it fits in all of it. */
        Instant until(TimeRange range) {
            Instant until = firstTime(range);
            Instant last = TimeRange.earlier(range.to(), TimeRange.later(until, LAST_KNOWN_TRANSITION).plus(ALL_SEASONS));
            while (until.isBefore(last) && fit(until)) {
                ZoneOffsetTransition change = zone.getRules().nextTransition(until);
                until = change == null ? last : TimeRange.earlier(change.getInstant(), last);
            }
            return until.isBefore(last) ? until : range.to();
        }

        /** From when on the offset fits up to the end of a range; the range's start if it fits in all of it. */
        Instant since(TimeRange range) {
            Instant first = firstTime(range);
            Instant since = range.to();
            while (since.isAfter(first) && fit(since.minusNanos(1)) && !isCut(since)) {
                ZoneOffsetTransition change = zone.getRules().previousTransition(since);
                since = change == null ? first : TimeRange.later(change.getInstant(), first);
                if (since.isAfter(LAST_KNOWN_TRANSITION) && !since.isAfter(range.to().minus(ALL_SEASONS))) {
                    since = TimeRange.later(first, LAST_KNOWN_TRANSITION);
                }
            }
            return since.isAfter(first) ? since : range.from();
        }

        private boolean fit(Instant time) {
            return Math.floorMod((long) zone.getRules().getOffset(time).getTotalSeconds(), stepSeconds) == 0 && !isCut(time);
        }

        /** Whether the clocks go back to the day before at a time at which no bucket begins. */
        private boolean isCut(Instant time) {
            if (Math.floorMod(time.getEpochSecond(), stepSeconds) == 0) {
                return false;
            }
            ZoneOffsetTransition change = zone.getRules().previousTransition(time.plusNanos(1));
            return change != null && change.getInstant().equals(time) && change.isOverlap() && change.getDateTimeAfter()
                    .toLocalDate().isBefore(change.getDateTimeBefore().minusNanos(1).toLocalDate());
        }

        /** The first bucket may start before the earliest event, as the week of 1970-01-01 does. */
        private static Instant firstTime(TimeRange range) {
            return TimeRange.later(range.from(), Instant.EPOCH);
        }
    }
}
