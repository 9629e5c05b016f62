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

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.windrow.base.JsonProblem;

/**
 * Reads events from a file, one per line, or the elements of an array. Empty lines are skipped. A line that is no JSON object
 * is left out and recorded; the
 * writer decides whether an object is a valid event.
 */
final class EventLines {

    /** Size that an SQS message could always have. */
    private static final int MAX_BYTES = 256 * 1_024;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

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
    static Stream<EventLine> of(Path file, Bad bad) {
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            switch (Shape.of(file)) {
                case ARRAY -> {
                    return elements(in, bad).onClose(() -> close(in));
                }
                case OBJECT -> {
                    close(in);
                    bad.add(1, "the file is one JSON object over several lines: write one event a line, or an array of events");
                    return Stream.of();
                }
                case LINES -> {
                    // below
                }
            }
            EventLines lines = new EventLines(in, bad);
            return Stream.iterate(lines.read(), Optional::isPresent, last -> lines.read())
                    .flatMap(bytes -> Stream.ofNullable(lines.line(bytes.orElseThrow()))).onClose(() -> close(in));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** How a file holds its events. */
    private enum Shape {

        LINES,
        /** One array. */
        ARRAY,
        /** One object whose first line is none. */
        OBJECT;

        static Shape of(Path file) throws IOException {
            try (JsonParser parser = JSON.createParser(file.toFile())) {
                JsonToken token = parser.nextToken();
                if (token != JsonToken.START_ARRAY && token != JsonToken.START_OBJECT) {
                    return LINES;
                }
                int line = parser.currentTokenLocation().getLineNr();
                parser.skipChildren();
                boolean isOne = parser.currentLocation().getLineNr() > line && parser.nextToken() == null;
                return token == JsonToken.START_ARRAY && (isOne || parser.nextToken() == null) ? ARRAY : isOne ? OBJECT : LINES;
            } catch (JsonProcessingException e) {
                return LINES;
            }
        }
    }

    /** Returns the elements of an array, each as if it were on a line of its own. */
    private static Stream<EventLine> elements(InputStream in, Bad bad) throws IOException {
        EventLines elements = new EventLines(in, bad);
        MappingIterator<JsonNode> values = JSON.readerFor(JsonNode.class).readValues(in);
        return Stream.iterate(values, MappingIterator::hasNext, same -> same).flatMap(
                same -> Stream.ofNullable(elements.line(element(same.next()))));
    }

    private static ByteArrayOutputStream element(JsonNode value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(value.toString().getBytes(StandardCharsets.UTF_8));
        return bytes;
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
    private @Nullable EventLine line(ByteArrayOutputStream bytes) {
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
        return new EventLine(number, text);
    }

    private static @Nullable String problem(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value.isObject() ? null
                    : "expected an event, which is a JSON object, found " + value.getNodeType().toString().toLowerCase(
                            Locale.ROOT);
        } catch (JsonProcessingException e) {
            // It may quote control characters.
            return "not JSON: " + JsonProblem.of(e.getOriginalMessage()).replaceAll("\\p{Cntrl}", "?");
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
