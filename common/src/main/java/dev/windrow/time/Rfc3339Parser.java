package dev.windrow.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.Year;
import java.time.format.DateTimeParseException;

import org.jspecify.annotations.Nullable;

/**
 * Parses the common form of RFC 3339, {@code 2026-11-20T10:31:32[.123456789]Z}. The general parser of
 * {@link EventTimes} handles other forms; this one exists because a formatter costs more than all other work on an event
 * together, and a long answer has thousands of buckets. Not thread-safe.
 */
public final class Rfc3339Parser {

    private static final int SHORTEST = 20;
    private static final int LONGEST = 30;
    /** Length of a time up to its minute; a colon and the second follow. */
    private static final int MINUTE = 16;
    private static final int DAY_SECONDS = 86_400;

    /** The last time parsed: most events of a message share its minute. */
    private String last = "";
    private long minuteSeconds;

    /**
     * Parses like {@link Instant#parse}, but faster.
     *
     * @throws DateTimeParseException if it is not a time
     */
    public static Instant instant(String text) {
        Instant common = new Rfc3339Parser().parse(text);
        return common == null ? Instant.parse(text) : common;
    }

    /** Returns the instant, or null if the text is not in the common form or not a valid time since 1970. */
    @Nullable
    public Instant parse(String text) {
        int length = text.length();
        if (length < SHORTEST || length > LONGEST || text.charAt(length - 1) != 'Z' || text.charAt(MINUTE) != ':') {
            return null;
        }
        if (!text.regionMatches(0, last, 0, MINUTE)) {
            minuteSeconds = minute(text);
            last = text;
        }
        int second = number(text, 17, 2);
        int nano = length == SHORTEST ? 0 : nano(text, length - SHORTEST);
        if (minuteSeconds < 0 || second < 0 || second > 59 || nano < 0) {
            return null;
        }
        return Instant.ofEpochSecond(minuteSeconds + second, nano);
    }

    /** Returns the start of a minute in seconds since the epoch, or -1 if it is not valid. */
    private static long minute(String text) {
        if (text.charAt(4) != '-' || text.charAt(7) != '-' || text.charAt(10) != 'T' || text.charAt(13) != ':') {
            return -1;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 2);
        int day = number(text, 8, 2);
        int hour = number(text, 11, 2);
        int minute = number(text, 14, 2);
        if (year < 1970 || month < 1 || month > 12 || day < 1 || day > Month.of(month).length(Year.isLeap(year)) || hour < 0
                || hour > 23
                || minute < 0 || minute > 59) {
            return -1;
        }
        return LocalDate.of(year, month, day).toEpochDay() * DAY_SECONDS + hour * 3_600L + minute * 60L;
    }

    /** Parses a number with this many digits; returns -1 if it is not valid. */
    private static int number(String text, int from, int digits) {
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Parses the point after the seconds and up to nine digits as nanoseconds; returns -1 if not valid. */
    private static int nano(String text, int length) {
        int digits = length - 1;
        if (text.charAt(19) != '.' || digits < 1 || digits > 9) {
            return -1;
        }
        int nano = number(text, 20, digits);
        for (int i = digits; nano > 0 && i < 9; i++) {
            nano *= 10;
        }
        return nano;
    }
}
