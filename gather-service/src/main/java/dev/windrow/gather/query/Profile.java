package dev.windrow.gather.query;

import java.time.Instant;
import java.time.ZoneId;

import dev.windrow.time.Granularity;

/** Ways to lay all days or weeks over each other. */
public enum Profile {

    /** 24 hours, 0 to 23. */
    HOUR_OF_DAY("hour-of-day", 0, 24),

    /** Seven days as in ISO 8601: 1 is Monday, 7 is Sunday. */
    DAY_OF_WEEK("day-of-week", 1, 7);

    private final String word;
    private final int first;
    private final int size;

    Profile(String word, int first, int size) {
        this.word = word;
        this.first = first;
        this.size = size;
    }

    /** The name in queries. */
    public String word() {
        return word;
    }

    /** The first slot's number. */
    public int first() {
        return first;
    }

    /** How many slots there are. */
    public int size() {
        return size;
    }

    /** The slot of an instant. */
    public int slot(Instant time, ZoneId zone) {
        return switch (this) {
            case HOUR_OF_DAY -> time.atZone(zone).getHour();
            case DAY_OF_WEEK -> time.atZone(zone).getDayOfWeek().getValue();
        };
    }

    /** The coarsest granularity whose buckets lie in one slot each. */
    Granularity coarsest() {
        return switch (this) {
            case HOUR_OF_DAY -> Granularity.HOUR;
            case DAY_OF_WEEK -> Granularity.DAY;
        };
    }
}
