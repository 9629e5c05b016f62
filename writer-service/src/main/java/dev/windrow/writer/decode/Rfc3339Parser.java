package dev.windrow.writer.decode;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.FastEventParser.Swar;

/**
 * Reads the common spelling of RFC 3339, {@code 2026-11-20T10:31:32[.123456789]Z}, as ASCII. The general reader of
 * {@link dev.windrow.dataset.EventTimes} does the rest; this one exists because a formatter costs more than all other work on
 * an event together. Not thread-safe.
 */
final class Rfc3339Parser {

    private static final int SHORTEST = 20;
    private static final int LONGEST = 30;
    /** Characters of a time up to its minute; then come a colon and the second. */
    private static final int MINUTE = 16;
    private static final int DAY_SECONDS = 86_400;

    /** The last minute read, {@code 2026-11-20T10:31}: most events of a message share it. */
    private long minuteStart;
    private long minuteEnd;
    private long minuteSeconds;
    private boolean hasMinute;

    /** The instant, or null if the text is not in the common spelling or no valid time since 1970. */
    @Nullable
    Instant parse(byte[] text, int from, int length) {
        if (length < SHORTEST || length > LONGEST || text[from + length - 1] != 'Z' || text[from + MINUTE] != ':') {
            return null;
        }
        long start = Swar.at(text, from);
        long end = Swar.at(text, from + Long.BYTES);
        if (!hasMinute || start != minuteStart || end != minuteEnd) {
            minuteSeconds = minute(text, from);
            minuteStart = start;
            minuteEnd = end;
            hasMinute = true;
        }
        int second = number(text, from + 17, 2);
        int nano = length == SHORTEST ? 0 : nano(text, from + 19, length - SHORTEST);
        if (minuteSeconds < 0 || second < 0 || second > 59 || nano < 0) {
            return null;
        }
        return Instant.ofEpochSecond(minuteSeconds + second, nano);
    }

    /** The start of a minute in seconds since the epoch; -1 if it is not valid. */
    private static long minute(byte[] text, int from) {
        if (text[from + 4] != '-' || text[from + 7] != '-' || text[from + 10] != 'T' || text[from + 13] != ':') {
            return -1;
        }
        int year = number(text, from, 4);
        int month = number(text, from + 5, 2);
        int day = number(text, from + 8, 2);
        int hour = number(text, from + 11, 2);
        int minute = number(text, from + 14, 2);
        if (year < 1970 || month < 1 || month > 12 || day < 1 || day > YearMonth.of(year, month).lengthOfMonth() || hour < 0
                || hour > 23
                || minute < 0 || minute > 59) {
            return -1;
        }
        return LocalDate.of(year, month, day).toEpochDay() * DAY_SECONDS + hour * 3_600L + minute * 60L;
    }

    /** A number of that many digits, or -1. */
    private static int number(byte[] text, int from, int digits) {
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** A point and up to nine digits as nanoseconds, or -1. */
    private static int nano(byte[] text, int from, int length) {
        int digits = length - 1;
        if (text[from] != '.' || digits < 1 || digits > 9) {
            return -1;
        }
        int nano = number(text, from + 1, digits);
        for (int i = digits; nano > 0 && i < 9; i++) {
            nano *= 10;
        }
        return nano;
    }
}
