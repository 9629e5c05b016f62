package dev.windrow.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * A pattern of {@link DateTimeFormatter} with a date, and a time unless it means midnight, in English. Names are read without
 * regard to case, and a fraction of a second after a point or comma has one to nine digits.
 */
public record TimePattern(String pattern, DateTimeFormatter formatter) {

    private static final ZonedDateTime SAMPLE = ZonedDateTime.of(LocalDate.of(2026, 11, 24), LocalTime.of(13, 14, 15),
            ZoneOffset.UTC);
    private static final String HOURS = "HkKh";
    private static final String TIMES = HOURS + "msSnNAaB";
    private static final String ZONES = "VvzOXxZ";
    private static final int MOST_FRACTION_DIGITS = 9;

    /**
     * @param pattern such as {@code dd/MMM/yyyy:HH:mm:ss xx}
     * @throws IllegalArgumentException if it is not a pattern, lacks the date, or probably means another one; the message says
     *         what to change
     */
    public static TimePattern of(String pattern) {
        List<Field> fields = fields(pattern);
        requireMeant(fields);
        DateTimeFormatter formatter = formatter(pattern, fields);
        boolean isDate = fields.stream().noneMatch(field -> TIMES.indexOf(field.letter) >= 0);
        TemporalAccessor sample;
        try {
            sample = formatter.parse(formatter.format(SAMPLE));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("its own output cannot be read: " + e.getMessage(), e);
        }
        if (sample.query(TemporalQueries.localDate()) == null) {
            throw new IllegalArgumentException("it lacks the date");
        }
        if (!isDate && sample.query(TemporalQueries.localTime()) == null) {
            throw new IllegalArgumentException("its time has a gap, such as seconds without minutes");
        }
        return new TimePattern(pattern, formatter);
    }

    /**
     * Reads a time. Without a zone in the text, an overlap of local times gives the earlier time and a gap the later one; a
     * date
     * alone is the first moment of its day.
     *
     * @param zone the zone of text without one
     * @throws InvalidInputException with {@link Reason#INVALID_TIME} if the text has another form or is out of range
     */
    public Instant read(String field, String text, ZoneId zone) {
        try {
            TemporalAccessor parsed = formatter.parse(text);
            Instant time;
            if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
                time = Instant.from(parsed);
            } else {
                LocalDate date = LocalDate.from(parsed);
                LocalTime clock = parsed.query(TemporalQueries.localTime());
                ZoneId written = parsed.query(TemporalQueries.zone());
                ZoneId in = written == null ? zone : written;
                time = clock == null ? date.atStartOfDay(in).toInstant() : ZonedDateTime.of(date, clock, in).toInstant();
            }
            return EventTimes.inRange(field, time);
        } catch (DateTimeException e) {
            throw new InvalidInputException(Reason.INVALID_TIME, field,
                    "expected a time written as " + pattern + ", found " + Sanitized.of(text));
        }
    }

    /** A run of one pattern letter. */
    private record Field(char letter, int from, int to) {
    }

    /** Returns the runs of letters outside quotes. */
    private static List<Field> fields(String pattern) {
        List<Field> fields = new ArrayList<>();
        boolean quoted = false;
        for (int at = 0; at < pattern.length();) {
            char letter = pattern.charAt(at);
            int from = at;
            while (at < pattern.length() && pattern.charAt(at) == letter) {
                at++;
            }
            if (letter == '\'') {
                quoted ^= (at - from) % 2 == 1;
            } else if (!quoted && isLetter(letter)) {
                fields.add(new Field(letter, from, at));
            }
        }
        return fields;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /** Refuses letters that are accepted by the formatter and read something else than their author meant. */
    private static void requireMeant(List<Field> fields) {
        boolean hours = false;
        boolean seconds = false;
        boolean weeks = fields.stream().anyMatch(field -> field.letter == 'w');
        boolean months = fields.stream().anyMatch(field -> field.letter == 'M' || field.letter == 'L');
        boolean half = fields.stream().anyMatch(field -> field.letter == 'a' || field.letter == 'B');
        char before = ' ';
        for (Field field : fields) {
            String problem = switch (field.letter) {
                case 'm' -> hours ? null : "m are minutes, and no hours stand before them: write M for months";
                case 'M', 'L' -> HOURS.indexOf(before) < 0 ? null
                        : field.letter + " are months, and stand after hours: write m for minutes";
                case 'S' ->
                    seconds ? null : "S are fractions of a second, and no seconds stand before them: write s for seconds";
                case 'Y' -> weeks ? null : "Y is the year of a week, which differs around New Year: write y for the year";
                case 'D' -> !months ? null : "D is the day of the year: write d for the day of the month";
                case 'h', 'K' -> half ? null
                        : field.letter + " are the hours of half a day, and a, for AM or PM, is missing: write H for hours "
                                + "from 00 to 23";
                default -> null;
            };
            if (problem != null) {
                throw new IllegalArgumentException(problem);
            }
            hours |= HOURS.indexOf(field.letter) >= 0;
            seconds |= field.letter == 's';
            before = field.letter;
        }
    }

    private static DateTimeFormatter formatter(String pattern, List<Field> fields) {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
        int from = 0;
        for (Field field : fields) {
            if (field.letter == 'S' && isSeparate(pattern, field)) {
                append(builder, pattern.substring(from, field.from));
                builder.appendFraction(ChronoField.NANO_OF_SECOND, 1, MOST_FRACTION_DIGITS, false);
                from = field.to;
            }
        }
        append(builder, pattern.substring(from));
        // Strict, so that 30 February is invalid; years of an era (y) then need a default era.
        return builder.parseDefaulting(ChronoField.ERA, 1).toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
    }

    private static void append(DateTimeFormatterBuilder builder, String pattern) {
        if (!pattern.isEmpty()) {
            builder.appendPattern(pattern);
        }
    }

    /** Whether no digits of other fields touch a fraction, so that its end can be seen. */
    private static boolean isSeparate(String pattern, Field fraction) {
        char before = pattern.charAt(fraction.from - 1);
        char after = fraction.to == pattern.length() ? ' ' : pattern.charAt(fraction.to);
        return !Character.isLetterOrDigit(before) && (!Character.isLetterOrDigit(after) || ZONES.indexOf(after) >= 0);
    }
}
