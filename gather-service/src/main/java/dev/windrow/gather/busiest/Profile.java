package dev.windrow.gather.busiest;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

import dev.windrow.time.Granularity;

/** Ways to overlay all days or weeks. */
public enum Profile {

    HOUR_OF_DAY(1, 24),
    DAY_OF_WEEK(7, 1),
    /** The 168 hours of the week, starting on Monday. */
    HOUR_OF_WEEK(7, 24);

    private final int days;
    private final int hours;

    /**
     * @param days days of the week with slots of their own; 1 if a slot covers all days
     * @param hours slots per day
     */
    Profile(int days, int hours) {
        this.days = days;
        this.hours = hours;
    }

    public int size() {
        return days * hours;
    }

    /** Returns the slot of a time, counted from 0. */
    public int slot(Instant time, ZoneId zone) {
        ZonedDateTime local = time.atZone(zone);
        return (local.getDayOfWeek().getValue() - 1) % days * hours + local.getHour() % hours;
    }

    /** The day of the week of a slot as in ISO 8601, from 1 (Monday) to 7; null if slots cover all days. */
    public @Nullable Integer day(int slot) {
        return days == 1 ? null : 1 + slot / hours;
    }

    /** The hour of the day of a slot, 0 to 23; null if slots cover whole days. */
    public @Nullable Integer hour(int slot) {
        return hours == 1 ? null : slot % hours;
    }

    /** Returns the coarsest granularity whose buckets each lie in one slot. */
    Granularity coarsest() {
        return hours == 1 ? Granularity.DAY : Granularity.HOUR;
    }
}
