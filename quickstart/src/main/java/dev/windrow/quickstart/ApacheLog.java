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
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.TenantNames;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/**
 * Reads Apache's combined log format, {@code host ident user [time] "request" status bytes "referrer" "agent"}, and the
 * Common Log Format, which ends with the bytes. Fields are taken as the log writes them, with its escapes. Nothing behind the
 * referrer is read, as real logs have lines cut off in the agent. Counts the lines that are left out as they are none that can
 * be counted.
 */
final class ApacheLog {

    // Possessive quantifiers: a hostile line can neither overflow the stack nor take quadratic time.
    private static final String QUOTED = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";
    private static final Pattern LINE = Pattern.compile("\\S++ \\S++ [^\\[]*+\\[([^\\]]++)\\] " + QUOTED
            + " [0-9]{3} ([0-9]{1,15}|-)(?: " + QUOTED + ".*|\\s*)");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    /** As the combined format writes what is unknown. */
    private static final String NONE = "-";

    private int clicks;
    private int unreadable;
    private int tooLong;

    /** The file's lines; to be closed. Bytes are read as ISO 8859-1, which knows every one of them. */
    @SuppressWarnings("StreamResourceLeak")
    static Stream<String> lines(Path file) {
        try {
            return Files.lines(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log " + file, e);
        }
    }

    /** The click of a line, or empty if it is no line of such a log, or has a time or size that no event may have. */
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

    /** The second word of {@code GET /path?query HTTP/1.1} without its query; any other request unchanged. */
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

    /** The click of a line; empty if the line is left out. */
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

    /** Whether the writer has a key for the click; it makes dead letters of others. */
    private static boolean fits(Click click) {
        SeriesKey series = new SeriesKey(TenantNames.DEFAULT, "clicks",
                Label.of(click.referrer(), click.page(), click.country()), 0);
        try {
            // All starts are written with 20 characters, so any of them shows whether the label fits.
            new BucketKey(series, Granularity.MINUTE, Instant.EPOCH).indexSortKey();
            return true;
        } catch (InvalidInputException e) {
            return false;
        }
    }

    /**
     * Requires that there was a click: totals of nothing would be exact, and prove nothing.
     *
     * @throws IllegalArgumentException if there was none
     */
    void requireAny(Path log) {
        if (clicks == 0) {
            throw new IllegalArgumentException(
                    "-Dlog=" + log + ": no line of an Apache combined or common log that can be counted");
        }
    }

    /** What was left out so far, a sentence for each reason. */
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
