package dev.windrow.dataset;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * Reads instants. Two formats are accepted everywhere: RFC 3339 with a zone ({@code 2026-11-20T10:31:32.5+01:00}) and
 * seconds since 1970-01-01T00:00:00Z ({@code 1795170692.5}). The range ends with the year 9999, so that the text of a
 * bucket's start is always 20 characters long and sorts by time.
 */
public final class EventTimes {

    /** The earliest accepted instant. */
    public static final Instant EARLIEST = Instant.EPOCH;

    /** The latest accepted instant. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final String RANGE = "a time from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z";
    private static final String LEAP_SECOND = ":60";
    private static final int LEAP_SECOND_AT = "2026-11-20T10:31".length();
    private static final int DAY_SECONDS = 86_400;
    private static final Pattern BEYOND_NANOS = Pattern.compile("(\\.[0-9]{9})[0-9]+");
    private static final Pattern OFFSET = Pattern.compile("([+-])([01][0-9]|2[0-3]):([0-5][0-9])\\z");
    private static final String EXPECTED = "expected an RFC 3339 time with a zone, such as 2026-11-20T10:31:32Z, found ";
    private static final BigDecimal EPOCH_SECONDS_LIMIT = BigDecimal.valueOf(LATEST.getEpochSecond() + 1);

    private EventTimes() {
    }

    /**
     * Reads RFC 3339 text. A leap second, {@code 23:59:60} in UTC, is the second before: it belongs to the day, hour and
     * minute that it ends. Digits beyond nanoseconds are cut off.
     *
     * @param field the name used in the error
     * @param text such as {@code 2026-11-20T10:31:32Z}
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if the text has another form, no zone, or is out of range
     */
    public static Instant parse(String field, String text) {
        if (text.startsWith("+")) {
            // ISO 8601 has years of more than four digits, RFC 3339 has not.
            throw invalid(field, EXPECTED + Sanitized.of(text));
        }
        boolean leapSecond = text.startsWith(LEAP_SECOND, LEAP_SECOND_AT);
        String readable = leapSecond
                ? text.substring(0, LEAP_SECOND_AT) + ":59" + text.substring(LEAP_SECOND_AT + LEAP_SECOND.length())
                : text;
        try {
            Instant time = inRange(field, read(BEYOND_NANOS.matcher(readable).replaceFirst("$1")));
            if (leapSecond && Math.floorMod(time.getEpochSecond(), DAY_SECONDS) != DAY_SECONDS - 1) {
                throw invalid(field, "expected a leap second only at 23:59:60 UTC, found " + Sanitized.of(text));
            }
            return time;
        } catch (DateTimeParseException e) {
            throw invalid(field, EXPECTED + Sanitized.of(text));
        }
    }

    /** The JDK's offsets end at 18 hours, those of RFC 3339 at 23:59. */
    private static Instant read(String text) {
        Matcher offset = OFFSET.matcher(text);
        if (!offset.find()) {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
        }
        Duration ahead = Duration.ofHours(Integer.parseInt(offset.group(2))).plusMinutes(Integer.parseInt(offset.group(3)));
        Instant local = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text.substring(0, offset.start()) + "Z", Instant::from);
        return offset.group(1).equals("+") ? local.minus(ahead) : local.plus(ahead);
    }

    /**
     * Reads seconds since the epoch, to the nanosecond.
     *
     * @param field the name used in the error
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if out of range, as milliseconds taken for seconds are
     */
    public static Instant ofEpochSeconds(String field, BigDecimal seconds) {
        // Compared before it is converted: 1e999999999 is a short text, but a very long integer.
        if (seconds.signum() < 0 || seconds.compareTo(EPOCH_SECONDS_LIMIT) >= 0) {
            throw invalid(field, "expected " + RANGE + " in seconds since 1970, found " + Sanitized.of(seconds));
        }
        BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
        long nanos = seconds.subtract(whole).movePointRight(9).setScale(0, RoundingMode.FLOOR).longValueExact();
        return Instant.ofEpochSecond(whole.longValueExact(), nanos);
    }

    private static Instant inRange(String field, Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw invalid(field, "expected " + RANGE + ", found " + time);
        }
        return time;
    }

    private static InvalidInputException invalid(String field, String expectation) {
        return new InvalidInputException(Reason.INVALID_TIME, field, expectation);
    }
}
