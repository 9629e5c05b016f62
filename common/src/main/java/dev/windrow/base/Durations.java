package dev.windrow.base;

import java.time.Duration;

/** Formats durations as human-readable text. */
public final class Durations {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private Durations() {
    }

    /**
     * Formats a duration as the configuration writes it: a whole number of the largest unit that allows one, such as
     * {@code 50ms}, {@code 90s} or {@code 15d}; in ISO 8601 if it is not a whole number of milliseconds.
     */
    public static String text(Duration duration) {
        if (duration.getNano() != 0) {
            return duration.getNano() % NANOS_PER_MILLI == 0 ? duration.toMillis() + "ms" : duration.toString();
        }
        long seconds = duration.toSeconds();
        if (seconds == 0 || seconds % MINUTE != 0) {
            return seconds + "s";
        }
        if (seconds % HOUR != 0) {
            return seconds / MINUTE + "m";
        }
        return seconds % DAY == 0 ? seconds / DAY + "d" : seconds / HOUR + "h";
    }
}
