package dev.windrow.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.event.TenantNames;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;

/**
 * Reads Apache's combined log format, {@code host ident user [time] "request" status bytes "referrer" "agent"}, and the
 * Common Log Format, which ends with the bytes. Fields keep the log's escapes. Nothing after the referrer is read, as real
 * logs have lines cut off in the agent. Lines that cannot be counted are left out, and their number is kept.
 */
final class ApacheLog {

    // Possessive quantifiers: a hostile line can neither overflow the stack nor take quadratic time.
    private static final String QUOTED = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";
    private static final Pattern LINE = Pattern.compile("\\S++ \\S++ [^\\[]*+\\[([^\\]]++)\\] " + QUOTED
            + " [0-9]{3} ([0-9]{1,15}|-)(?: " + QUOTED + ".*|\\s*)");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    /** Stands for an unknown value in the combined format. */
    private static final String NONE = "-";

    private int clicks;
    private int unreadable;
    private int tooLong;

    /** Returns the file's lines; the caller closes the stream. Reads ISO 8859-1, in which every byte is valid. */
    @SuppressWarnings("StreamResourceLeak")
    static Stream<String> lines(Path file) {
        try {
            return Files.lines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log " + file, e);
        }
    }

    /** Returns the click of a line; empty if the format is wrong, or the time or size is out of an event's range. */
    static Optional<Click> parse(String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            return Optional.empty();
        }
        try {
            Instant time = TIME.parse(fields.group(1), Instant::from);
            if (time.isBefore(EventTimes.EARLIEST) || time.isAfter(EventTimes.LATEST)) {
                return Optional.empty();
            }
            String bytes = fields.group(3);
            String referrer = fields.group(4) == null ? NONE : fields.group(4);
            return Optional.of(new Click(time, referrer, page(fields.group(2)), NONE, 1,
                    bytes.equals("-") ? null : Long.valueOf(bytes)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the second word of {@code GET /path?query HTTP/1.1} without its query; any other request unchanged. */
    private static String page(String request) {
        int start = request.indexOf(' ');
        int end = request.lastIndexOf(' ');
        if (start < 0 || start == end) {
            return request;
        }
        String address = request.substring(start + 1, end);
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query);
    }

    /** Returns the click of a line and counts the line; empty if the line is left out. */
    Optional<Click> of(String line) {
        Optional<Click> click = parse(line);
        if (click.isEmpty()) {
            unreadable++;
        } else if (!fits(click.get())) {
            tooLong++;
            return Optional.empty();
        } else {
            clicks++;
        }
        return click;
    }

    /** Whether the click fits in the writer's keys; other clicks would become dead letters. */
    private static boolean fits(Click click) {
        SeriesKey series = new SeriesKey(TenantNames.DEFAULT, "clicks",
                Label.of(click.referrer(), click.page(), click.country()), 0);
        try {
            // Every start has 20 characters, so any start shows whether the label fits.
            new BucketKey(series, Granularity.MINUTE, Instant.EPOCH).indexSortKey();
            return true;
        } catch (InvalidInputException e) {
            return false;
        }
    }

    /**
     * Requires at least one click: exact totals of nothing would prove nothing.
     *
     * @throws IllegalArgumentException if there was none
     */
    void requireAny(Path log) {
        if (clicks == 0) {
            throw new IllegalArgumentException(
                    "-Dlog=" + log + ": no line of an Apache combined or common log that can be counted");
        }
    }

    /** Returns a sentence for each reason for which lines were left out so far. */
    List<String> leftOut() {
        List<String> sentences = new ArrayList<>();
        if (unreadable > 0) {
            sentences.add("%,d lines are no lines of a combined or common log and were left out".formatted(unreadable));
        }
        if (tooLong > 0) {
            sentences.add(
                    "%,d lines have a referrer and a page that are too long for a key and were left out".formatted(tooLong));
        }
        return sentences;
    }
}
