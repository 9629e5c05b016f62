package dev.windrow.gather.query;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.Optional;

import dev.windrow.dataset.Granularity;

/**
 * Buckets of a time zone: days, weeks, months and years begin at local midnight (or at the first instant of the day, where
 * the clocks go forward at midnight), so a day may have 23 or 25 hours. Granularities up to an hour are cut in UTC; where a
 * zone's offset is no multiple of an hour, so are its hours.
 *
 * @param granularity how coarse
 * @param zone where
 */
public record ZonedBuckets(Granularity granularity, ZoneId zone) {

    /** The start of the bucket that holds an instant. */
    public Instant floor(Instant time) {
        if (isUtc()) {
            return granularity.floor(time);
        }
        LocalDate date = time.atZone(zone).toLocalDate();
        return switch (granularity.unit()) {
            case SECOND, MINUTE, HOUR, FOREVER -> granularity.floor(time);
            case DAY -> startOf(date);
            case WEEK -> startOf(date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
            case MONTH -> startOf(date.withDayOfMonth(1));
            case YEAR -> startOf(date.withDayOfYear(1));
        };
    }

    /** The end of the bucket that starts there. */
    public Instant end(Instant start) {
        if (isUtc()) {
            return granularity.end(start);
        }
        LocalDate date = start.atZone(zone).toLocalDate();
        return switch (granularity.unit()) {
            case SECOND, MINUTE, HOUR, FOREVER -> granularity.end(start);
            case DAY -> startOf(date.plusDays(1));
            case WEEK -> startOf(date.plusWeeks(1));
            case MONTH -> startOf(date.plusMonths(1));
            case YEAR -> startOf(date.plusYears(1));
        };
    }

    /** The first start at or after an instant. */
    public Instant ceiling(Instant time) {
        if (isUtc()) {
            return TimeRange.ceiling(granularity, time);
        }
        Instant floor = floor(time);
        return floor.isBefore(time) ? TimeRange.earlier(end(floor), TimeRange.END) : floor;
    }

    /** The same starts, with both bounds moved up to one. */
    public TimeRange aligned(TimeRange range) {
        return new TimeRange(bound(range.from()), bound(range.to()));
    }

    private Instant bound(Instant time) {
        return isOpen(time) ? time : ceiling(time);
    }

    private static boolean isOpen(Instant time) {
        return time.equals(TimeRange.ALL.from()) || time.equals(TimeRange.END);
    }

    private boolean isUtc() {
        return zone.equals(ZoneOffset.UTC);
    }

    private Instant startOf(LocalDate date) {
        return date.atStartOfDay(zone).toInstant();
    }

    /** Whether these buckets can be summed up from those of a stored granularity, wherever they start in a range. */
    public boolean canBeBuiltFrom(Granularity stored, TimeRange range) {
        return isCutInUtc()
                ? stored.nestsIn(granularity)
                : stored.nestsIn(Granularity.DAY) && fits(stored, zone, range, Granularity.DAY)
                        && isBound(stored, range.from()) && isBound(stored, range.to());
    }

    /** Whether a bound is open, or no stored bucket lies across it. */
    static boolean isBound(Granularity stored, Instant time) {
        return isOpen(time) || stored.isStart(time);
    }

    /** When these buckets can be summed up from those of a stored granularity; empty if that does not depend on the time. */
    Optional<FittingOffsets> offsetsFor(Granularity stored) {
        return isCutInUtc() || !stored.nestsIn(Granularity.DAY)
                ? Optional.empty()
                : Optional.of(new FittingOffsets(zone, stored.typicalSeconds()));
    }

    private boolean isCutInUtc() {
        return isUtc() || granularity.unit().compareTo(Granularity.Unit.DAY) < 0 || granularity.equals(Granularity.FOREVER);
    }

    /**
     * Whether no bucket of a stored granularity crosses a border of the zone's hours or days.
     *
     * @param cut hour or day: what is cut out of the zone's time
     */
    static boolean fits(Granularity stored, ZoneId zone, TimeRange range, Granularity cut) {
        FittingOffsets offsets = new FittingOffsets(zone, Math.min(stored.typicalSeconds(), cut.typicalSeconds()));
        return offsets.fitAtStart(range) && offsets.until(range).equals(range.to());
    }
}
