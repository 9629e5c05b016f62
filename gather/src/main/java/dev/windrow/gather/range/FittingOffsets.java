package dev.windrow.gather.range;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/**
 * The times at which a zone's offset is a multiple of a step, so that buckets of UTC of that length cross no border of the
 * zone's hours or days.
 *
 * @param stepSeconds length of the buckets
 */
public record FittingOffsets(ZoneId zone, long stepSeconds) {

    /** A granularity that fits for this long fits in summer and in winter. */
    public static final Duration ALL_SEASONS = Duration.ofDays(400);

    /** Zones' rules repeat yearly after this; a year beyond it covers all cases. */
    private static final Instant LAST_KNOWN_TRANSITION = Instant.parse("2100-01-01T00:00:00Z");

    /** Up to when the offset fits from the start of a range on; the range's end if it fits in all of it. */
    public Instant until(TimeRange range) {
        Instant until = firstTime(range);
        Instant last = TimeRange.earlier(range.to(), TimeRange.later(until, LAST_KNOWN_TRANSITION).plus(ALL_SEASONS));
        while (until.isBefore(last) && fit(until)) {
            ZoneOffsetTransition change = zone.getRules().nextTransition(until);
            until = change == null ? last : TimeRange.earlier(change.getInstant(), last);
        }
        return until.isBefore(last) ? until : range.to();
    }

    /** From when on the offset fits up to the end of a range; the range's start if it fits in all of it. */
    public Instant since(TimeRange range) {
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

    boolean fit(Instant time) {
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
    static Instant firstTime(TimeRange range) {
        return TimeRange.later(range.from(), Instant.EPOCH);
    }
}
