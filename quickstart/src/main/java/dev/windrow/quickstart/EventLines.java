package dev.windrow.quickstart;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.quickstart.Replay.EventMessages.Line;

/**
 * Reads events from a file, one per line. Empty lines are skipped. A line that is no JSON object is left out and recorded; the
 * writer decides whether an object is a valid event.
 */
final class EventLines {

    /** Size that an SQS message could always have. */
    private static final int MAX_BYTES = 256 * 1_024;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Lines of a file that are no valid events. Keeps the first ones with their reasons, and counts all. */
    static final class Bad {

        static final int KEPT = 20;

        private final TreeMap<Long, String> first = new TreeMap<>();
        private long count;

        /**
         * Records a line.
         *
         * @param number line number, from 1
         * @param reason human-readable reason
         */
        void add(long number, String reason) {
            count++;
            first.put(number, reason);
            if (first.size() > KEPT) {
                first.pollLastEntry();
            }
        }

        /** Returns the number of lines recorded. */
        long count() {
            return count;
        }

        /**
         * Returns a sentence for each of the first twenty, in order, and one for the rest.
         *
         * @param all total number of bad lines, which may exceed the number recorded
         */
        List<String> sentences(long all) {
            List<String> sentences = new ArrayList<>();
            for (Map.Entry<Long, String> line : first.entrySet()) {
                sentences.add("line " + line.getKey() + ": " + line.getValue());
            }
            if (all > first.size()) {
                sentences.add("and %,d more".formatted(all - first.size()));
            }
            return sentences;
        }
    }

    private final InputStream in;
    private final Bad bad;
    private long number;

    private EventLines(InputStream in, Bad bad) {
        this.in = in;
        this.bad = bad;
    }

    /**
     * Returns the lines of a file; the caller closes the stream.
     *
     * @param bad records the lines that are left out
     */
    static Stream<Line> of(Path file, Bad bad) {
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            EventLines lines = new EventLines(in, bad);
            return Stream.iterate(lines.read(), Optional::isPresent, last -> lines.read())
                    .flatMap(bytes -> Stream.ofNullable(lines.line(bytes.orElseThrow()))).onClose(() -> close(in));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Reads to the end of the line, keeping just enough to detect one that is too long; empty at the end of the file. */
    private Optional<ByteArrayOutputStream> read() {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int read = in.read();
            if (read < 0) {
                return Optional.empty();
            }
            while (read >= 0 && read != '\n') {
                if (bytes.size() <= MAX_BYTES) {
                    bytes.write(read);
                }
                read = in.read();
            }
            return Optional.of(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read line " + (number + 1), e);
        }
    }

    /** Converts a line that was read; returns null if it is left out. */
    private @Nullable Line line(ByteArrayOutputStream bytes) {
        number++;
        if (bytes.size() > MAX_BYTES) {
            bad.add(number, "longer than " + MAX_BYTES + " bytes, which is the most that a message of SQS could always have");
            return null;
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            bad.add(number, "not UTF-8");
            return null;
        }
        if (number == 1 && text.startsWith(BYTE_ORDER_MARK)) {
            text = text.substring(1);
        }
        text = text.strip();
        if (text.isEmpty()) {
            return null;
        }
        // SQS accepts only the characters of XML 1.0. These two are the only ones in JSON that XML lacks.
        String problem = text.chars().anyMatch(character -> character >= '\uFFFE') ? "has U+FFFE or U+FFFF, which SQS rejects"
                : problem(text);
        if (problem != null) {
            bad.add(number, problem);
            return null;
        }
        return new Line(number, text);
    }

    private static @Nullable String problem(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value.isObject() ? null
                    : "expected an event, which is a JSON object, found " + value.getNodeType().toString().toLowerCase(
                            Locale.ROOT);
        } catch (JsonProcessingException e) {
            // Removes the verbose position of an array's or object's start; the rest may quote control characters.
            return "not JSON: "
                    + e.getOriginalMessage().replaceFirst(" \\(start marker at .*", "").replaceAll("\\p{Cntrl}", "?");
        }
    }

    private static void close(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
