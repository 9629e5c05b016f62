package dev.windrow.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.concurrent.TimeUnit;

/**
 * Reads the start of a bucket as keys hold it, such as {@code 2026-11-20T10:31:00Z}. A long answer has thousands of them, and
 * the library's parser takes microseconds for each.
 */
public final class BucketStarts {

    private static final int LENGTH = "2026-11-20T10:31:00Z".length();

    private BucketStarts() {
    }

    /**
     * Does what {@link Instant#parse} does.
     *
     * @throws DateTimeParseException if it is not a time
     */
    public static Instant parse(String text) {
        if (text.length() == LENGTH && text.charAt(4) == '-' && text.charAt(7) == '-' && text.charAt(10) == 'T'
                && text.charAt(13) == ':' && text.charAt(16) == ':' && text.charAt(19) == 'Z') {
            try {
                LocalDate day = LocalDate.of(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
                LocalTime time = LocalTime.of(digits(text, 11, 13), digits(text, 14, 16), digits(text, 17, 19));
                return Instant.ofEpochSecond(TimeUnit.DAYS.toSeconds(day.toEpochDay()) + time.toSecondOfDay());
            } catch (DateTimeException e) {
                // The library accepts a few more, such as 24:00:00, and says what is wrong with others.
            }
        }
        return Instant.parse(text);
    }

    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new DateTimeException("not a digit");
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
