package dev.windrow.gather.range;

import java.time.Instant;

import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;

/**
 * A half-open range of bucket starts: {@code from} ≤ start &lt; {@code to}.
 *
 * @param from inclusive
 * @param to exclusive, not before {@code from}
 */
public record TimeRange(Instant from, Instant to) {

    /** The instant after all others. */
    public static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    /** From the earliest start to after the latest. The week of the earliest event begins on the Monday before it. */
    public static final TimeRange ALL = new TimeRange(Granularity.WEEK.floor(EventTimes.EARLIEST), END);

    public boolean isEmpty() {
        return !from.isBefore(to);
    }

    /** Whether another range, which does not end before it starts, is within this one. */
    public boolean contains(TimeRange other) {
        return !other.from.isBefore(from) && !other.to.isBefore(other.from) && !other.to.isAfter(to);
    }

    /** Whether a time stands for no bound at all. */
    static boolean isOpen(Instant time) {
        return time.equals(ALL.from) || time.equals(END);
    }

    /**
     * Rounds both bounds up to bucket starts. All time stays what it is for the all-time bucket, which no other range holds.
     */
    public TimeRange alignedTo(Granularity granularity) {
        return granularity.equals(Granularity.FOREVER) && equals(ALL) ? ALL
                : new TimeRange(ceiling(granularity, from), ceiling(granularity, to));
    }

    /** The first start of a bucket at or after an instant; {@link #END} if there is none. */
    public static Instant ceiling(Granularity granularity, Instant time) {
        Instant floor = granularity.floor(time);
        // The floor may be later: the all-time bucket starts after the earliest range does.
        return !floor.isBefore(time) || !time.isBefore(END) ? later(time, floor) : earlier(granularity.end(floor), END);
    }

    /** Clamps an instant to the range of all time. */
    public static Instant clamped(Instant time) {
        return earlier(later(time, ALL.from), END);
    }

    public static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    public static Instant later(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }
}
