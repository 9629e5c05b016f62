package dev.windrow.gather.query;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

import dev.windrow.dataset.Granularity;

/** Ways to lay all days or weeks over each other. */
public enum Profile {

    /** 24 hours, 0 to 23. */
    HOUR_OF_DAY("hour-of-day", 0, 24),

    /** Seven days as in ISO 8601: 1 is Monday, 7 is Sunday. */
    DAY_OF_WEEK("day-of-week", 1, 7),

    /** The 168 hours of the week, from Monday's first: 24 times the days since Monday plus the hour of the day. */
    HOUR_OF_WEEK("hour-of-week", 0, 168);

    private static final int HOURS_OF_A_DAY = 24;

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
            case HOUR_OF_WEEK -> HOURS_OF_A_DAY * (DAY_OF_WEEK.slot(time, zone) - DAY_OF_WEEK.first)
                    + HOUR_OF_DAY.slot(time, zone);
        };
    }

    /** The day of the week of a slot, 1 to 7; empty if slots are of all days. */
    public Optional<Integer> day(int slot) {
        return switch (this) {
            case HOUR_OF_DAY -> Optional.empty();
            case DAY_OF_WEEK -> Optional.of(slot);
            case HOUR_OF_WEEK -> Optional.of(DAY_OF_WEEK.first + slot / HOURS_OF_A_DAY);
        };
    }

    /** The hour of the day of a slot, 0 to 23; empty if slots are of whole days. */
    public Optional<Integer> hour(int slot) {
        return switch (this) {
            case HOUR_OF_DAY -> Optional.of(slot);
            case DAY_OF_WEEK -> Optional.empty();
            case HOUR_OF_WEEK -> Optional.of(slot % HOURS_OF_A_DAY);
        };
    }

    /** The coarsest granularity whose buckets lie in one slot each. */
    Granularity coarsest() {
        return switch (this) {
            case HOUR_OF_DAY, HOUR_OF_WEEK -> Granularity.HOUR;
            case DAY_OF_WEEK -> Granularity.DAY;
        };
    }
}
