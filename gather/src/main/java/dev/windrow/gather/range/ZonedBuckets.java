package dev.windrow.gather.range;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;

import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.time.Granularity;

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
    public boolean canBeBuiltFrom(Granularity stored, TimeRange range) {
        return isCutInUtc()
                ? stored.nestsIn(granularity)
                : stored.nestsIn(Granularity.DAY) && fits(stored, zone, range, Granularity.DAY)
                        && isBound(stored, range.from()) && isBound(stored, range.to());
    }

    /** Whether a bound is open, or no stored bucket lies across it. */
    public static boolean isBound(Granularity stored, Instant time) {
        return TimeRange.isOpen(time) || stored.isStart(time);
    }

    public boolean isCutInUtc() {
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

}
