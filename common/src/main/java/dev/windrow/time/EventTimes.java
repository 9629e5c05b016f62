package dev.windrow.time;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * Reads instants. Two formats are accepted everywhere: RFC 3339 with a zone ({@code 2026-11-20T10:31:32.5+01:00}), and a
 * number, or text that is a number, of seconds, milliseconds, microseconds or nanoseconds since 1970-01-01T00:00:00Z; the unit
 * is inferred from the magnitude. The range ends with the year 9999, so that the text of a bucket's start is always 20
 * characters long and sorts by time. Numbers end with the year 2099, as larger ones are probably in another unit.
 */
public final class EventTimes {

    public static final Instant EARLIEST = Instant.EPOCH;

    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final BigDecimal NANOSECOND = BigDecimal.valueOf(1, 9);
    private static final String RANGE = "a time from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z";
    private static final String LEAP_SECOND = ":60";
    private static final int DATE_LENGTH = "2026-11-20".length();
    private static final int LEAP_SECOND_AT = "2026-11-20T10:31".length();
    private static final int DAY_SECONDS = 86_400;
    private static final Pattern BEYOND_NANOS = Pattern.compile("(\\.[0-9]{9})[0-9]+");
    /** An offset as in RFC 3339, or as in ISO 8601's basic format, which many programs write. */
    private static final Pattern OFFSET = Pattern
            .compile("(?<=:[0-9]{2}(\\.[0-9]{1,9})?)([+-])([01][0-9]|2[0-3]):?([0-5][0-9])?\\z");
    private static final String EXPECTED = "expected an RFC 3339 time with a zone, such as 2026-11-20T10:31:32Z, found ";
    private static final String LOCAL_EXPECTED = "expected an RFC 3339 time with or without a zone, such as "
            + "2026-11-20T10:31:32, or a date, found ";
    private static final BigDecimal EPOCH_SECONDS_LIMIT = BigDecimal.valueOf(LATEST.getEpochSecond() + 1);
    /** 2100-01-01T00:00:00Z. */
    private static final BigDecimal NUMBERS_LIMIT = BigDecimal.valueOf(4_102_444_800L);
    private static final List<String> UNITS = List.of("seconds", "milliseconds", "microseconds", "nanoseconds");
    private static final Pattern CALENDAR_DATE = Pattern
            .compile("((?:19[7-9]|20[0-9])[0-9])(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([0-9]{6})?");

    private EventTimes() {
    }

    /**
     * Reads text: a number, or RFC 3339 with a {@code T} or a space before the hour. A leap second, {@code 23:59:60} in UTC, is
     * read as the second before: it stays in the day, hour and minute that it ends. Digits beyond nanoseconds are cut.
     *
     * @param text such as {@code 2026-11-20T10:31:32Z}
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if the text has another form, no zone, or is out of range
     */
    public static Instant parse(String field, String text) {
        return parse(field, text, null);
    }

    /**
     * Reads text as {@link #parse(String, String)} does.
     *
     * @param local the zone of RFC 3339 times without one: an overlap of local times gives the earlier time, a gap the later
     *        one, and a date alone is the first moment of its day; null if a zone is required
     */
    public static Instant parse(String field, String text, @Nullable ZoneId local) {
        BigDecimal number = Decimals.parse(text);
        if (number != null) {
            return ofEpoch(field, number);
        }
        if (text.startsWith("+")) {
            // ISO 8601 allows years of more than four digits, RFC 3339 does not.
            throw invalid(field, expected(local) + Sanitized.of(text));
        }
        boolean leapSecond = text.startsWith(LEAP_SECOND, LEAP_SECOND_AT);
        String readable = leapSecond
                ? text.substring(0, LEAP_SECOND_AT) + ":59" + text.substring(LEAP_SECOND_AT + LEAP_SECOND.length())
                : text;
        try {
            if (readable.startsWith(" ", DATE_LENGTH)) {
                readable = readable.substring(0, DATE_LENGTH) + "T" + readable.substring(DATE_LENGTH + 1);
            }
            Instant time = inRange(field, read(BEYOND_NANOS.matcher(readable).replaceFirst("$1"), local));
            if (leapSecond && Math.floorMod(time.getEpochSecond(), DAY_SECONDS) != DAY_SECONDS - 1) {
                throw invalid(field, "expected a leap second only at 23:59:60 UTC, found " + Sanitized.of(text));
            }
            return time;
        } catch (DateTimeParseException e) {
            throw invalid(field, expected(local) + Sanitized.of(text));
        }
    }

    private static String expected(@Nullable ZoneId local) {
        return local == null ? EXPECTED : LOCAL_EXPECTED;
    }

    /** Applies RFC 3339's offsets, which go up to 23:59, while the JDK's end at 18 hours. */
    private static Instant read(String text, @Nullable ZoneId local) {
        Matcher offset = OFFSET.matcher(text);
        if (!offset.find()) {
            if (local != null && !text.endsWith("Z") && !text.endsWith("z")) {
                if (text.length() == DATE_LENGTH) {
                    return LocalDate.parse(text).atStartOfDay(local).toInstant();
                }
                return LocalDateTime.parse(text).atZone(local).toInstant();
            }
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
        }
        Duration ahead = Duration.ofHours(Integer.parseInt(offset.group(3)))
                .plusMinutes(offset.group(4) == null ? 0 : Integer.parseInt(offset.group(4)));
        Instant there = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text.substring(0, offset.start()) + "Z", Instant::from);
        return offset.group(2).equals("+") ? there.minus(ahead) : there.plus(ahead);
    }

    /**
     * Reads a number of seconds since the epoch, to the nanosecond, or of milli-, micro- or nanoseconds: the first of these
     * units in which the time is before the year 10000.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is negative, reads as a calendar date, or is beyond
     *         the year 2099 in its unit, such as milliseconds before 1978, which are taken for seconds
     */
    public static Instant ofEpoch(String field, BigDecimal number) {
        requireNoDate(field, number);
        BigDecimal seconds = number;
        int unit = 0;
        // Compared before it is converted: 1e999999999 is a short text, but a very long integer.
        while (seconds.compareTo(EPOCH_SECONDS_LIMIT) >= 0 && unit < UNITS.size() - 1) {
            seconds = seconds.scaleByPowerOfTen(-3);
            unit++;
        }
        if (seconds.signum() >= 0 && seconds.compareTo(NUMBERS_LIMIT) < 0) {
            return ofEpochSeconds(field, seconds);
        }
        boolean finer = seconds.signum() > 0 && unit < UNITS.size() - 1;
        throw invalid(field,
                "expected " + UNITS.get(unit) + " since 1970 and before the year 2100, found " + Sanitized.of(number)
                        + (finer ? ", which looks like " + UNITS.get(unit + 1)
                                + ": write the time as text, such as 1975-01-31T10:31:32Z"
                                : ""));
    }

    private static void requireNoDate(String field, BigDecimal number) {
        if (number.scale() != 0 || number.precision() < "20250301".length()) {
            return;
        }
        Matcher date = CALENDAR_DATE.matcher(number.toString());
        if (date.matches()) {
            throw invalid(field,
                    "expected seconds since 1970, found " + Sanitized.of(number) + ", which looks like a date: write it as "
                            + date.group(1) + "-" + date.group(2) + "-" + date.group(3) + "T00:00:00Z");
        }
    }

    /**
     * Reads seconds since the epoch, to the nanosecond, as the table stores them.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if out of range
     */
    public static Instant ofEpochSeconds(String field, BigDecimal seconds) {
        if (seconds.signum() < 0 || seconds.compareTo(EPOCH_SECONDS_LIMIT) >= 0) {
            throw invalid(field, "expected " + RANGE + " in seconds since 1970, found " + Sanitized.of(seconds));
        }
        // Not computed: 1E-999999999 has more digits than fit into memory.
        if (seconds.compareTo(NANOSECOND) < 0) {
            return Instant.EPOCH;
        }
        BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
        long nanos = seconds.subtract(whole).movePointRight(9).setScale(0, RoundingMode.FLOOR).longValueExact();
        return Instant.ofEpochSecond(whole.longValueExact(), nanos);
    }

    /**
     * Returns the time if it is in range.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if it is out of range
     */
    public static Instant inRange(String field, Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw invalid(field, "expected " + RANGE + ", found " + time);
        }
        return time;
    }

    private static InvalidInputException invalid(String field, String expectation) {
        return new InvalidInputException(Reason.INVALID_TIME, field, expectation);
    }
}
