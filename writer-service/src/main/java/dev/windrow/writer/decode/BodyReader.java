package dev.windrow.writer.decode;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Event;
import dev.windrow.writer.decode.EventCollector.RejectedEvent;

/** Reads one text: one event, an array of them, or one per line. */
public final class BodyReader {

    private static final int MAX_DETAIL = 200;

    private final byte[] text;
    private final int start;
    private final EventReader reader;
    private final EventCollector collector;

    /**
     * @param text well-formed UTF-8
     * @param start where in it the text begins
     */
    BodyReader(byte[] text, int start, EventReader reader, EventCollector collector) {
        this.text = text;
        this.start = start;
        this.reader = reader;
        this.collector = collector;
    }

    void read(BodyKind kind) {
        switch (kind) {
            case OBJECT -> value(start, text.length, RejectedEvent.WHOLE);
            case LINES -> lines();
            case ARRAY -> array();
        }
    }

    private void lines() {
        int line = 0;
        for (int from = start; from < text.length; line++) {
            int to = BodyKind.lineEnd(text, from);
            if (BodyKind.skipBlank(text, from, to) < to) {
                value(from, to, line);
            }
            from = to + 1;
        }
    }

    /** Reads a span that should hold one event and nothing else. */
    private void value(int from, int to, int index) {
        reader.start(index);
        try (JsonParser parser = Json.parser(text, from, to)) {
            if (parser.nextToken() == null) {
                notJson(index, "expected a JSON event, found nothing", from, to);
                return;
            }
            Event event = reader.read(parser);
            if (parser.nextToken() != null) {
                notJson(index, "expected nothing after the event", from, to);
            } else {
                note(index, event, from, to);
            }
        } catch (IOException e) {
            notJson(index, detail(e), from, to);
        }
    }

    private void array() {
        try (JsonParser parser = Json.parser(text, start, text.length)) {
            parser.nextToken();
            JsonToken token = parser.nextToken();
            for (int index = 0; token != JsonToken.END_ARRAY; index++) {
                int from = start + (int) parser.currentTokenLocation().getByteOffset();
                reader.start(index);
                Event event = reader.read(parser);
                if (token == JsonToken.VALUE_STRING) {
                    // The parser is behind a string only once it has been read.
                    parser.getTextLength();
                }
                note(index, event, from, start + (int) parser.currentLocation().getByteOffset());
                token = parser.nextToken();
            }
            if (parser.nextToken() != null) {
                collector.rejectAll(Reason.NOT_JSON, "body", "expected nothing after the array");
            }
        } catch (IOException e) {
            collector.rejectAll(Reason.NOT_JSON, "body", detail(e));
        }
    }

    private void note(int index, @Nullable Event event, int from, int to) {
        if (event == null) {
            collector.bad(reader.rejection(), reader.type(), text, from, to);
        } else {
            collector.good(index, event, text, from, to);
        }
    }

    private void notJson(int index, String detail, int from, int to) {
        collector.bad(new RejectedEvent(index, Reason.NOT_JSON, "body", detail), null, text, from, to);
    }

    private static String detail(IOException e) {
        String problem = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        String detail = "expected JSON: " + problem;
        return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL);
    }

    /** How a message body holds its events. */
    public enum BodyKind {

        /** One JSON object. */
        OBJECT,
        /** A JSON array of objects. */
        ARRAY,
        /** One JSON object per line; blank lines do not count. */
        LINES;

        private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final long ONES = 0x0101_0101_0101_0101L;
        private static final long HIGHEST_BITS = ONES << 7;

        /** The name in metrics. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Detects the kind of a body. If the first or the last line is a complete object, the body is lines, not one object
         * spread over several lines; if either is damaged, the other decides.
         *
         * @param start where the text begins
         */
        static BodyKind of(byte[] body, int start) {
            int from = skipBlank(body, start, body.length);
            if (from < body.length && body[from] == '[') {
                return ARRAY;
            }
            int to = body.length;
            while (to > from && isBlank(body[to - 1])) {
                to--;
            }
            int firstEnd = lineEnd(body, from);
            if (firstEnd >= to) {
                return OBJECT;
            }
            int last = to;
            while (body[last - 1] != '\n') {
                last--;
            }
            return isObject(body, from, firstEnd) || isObject(body, skipBlank(body, last, to), to) ? LINES : OBJECT;
        }

        /** Where the line ends that a position is in: at its line feed, or at the end of the text. */
        static int lineEnd(byte[] body, int from) {
            int to = from;
            // Eight bytes at a time: one by one, looking for the end would be a fifth of the time of reading the line.
            while (to + Long.BYTES <= body.length) {
                long lineFeeds = (long) WORDS.get(body, to) ^ ONES * '\n';
                int before = Long.numberOfTrailingZeros((lineFeeds - ONES) & ~lineFeeds & HIGHEST_BITS) / Byte.SIZE;
                if (before < Long.BYTES) {
                    return to + before;
                }
                to += Long.BYTES;
            }
            while (to < body.length && body[to] != '\n') {
                to++;
            }
            return to;
        }

        private static boolean isObject(byte[] body, int from, int to) {
            int end = to;
            while (end > from && isBlank(body[end - 1])) {
                end--;
            }
            return end - from > 1 && body[from] == '{' && body[end - 1] == '}' && isBalanced(body, from, end);
        }

        /**
         * Whether as many braces close as open, which is not known where a text does not end. Not whether it is JSON: lines
         * whose
         * first and last have, say, a bad number are still lines, of which the others count.
         */
        private static boolean isBalanced(byte[] body, int from, int to) {
            int depth = 0;
            boolean inText = false;
            for (int i = from; i < to; i++) {
                if (inText && body[i] == '\\') {
                    i++;
                } else if (body[i] == '"') {
                    inText = !inText;
                } else if (!inText) {
                    depth += body[i] == '{' ? 1 : body[i] == '}' ? -1 : 0;
                }
            }
            return inText || depth == 0;
        }

        /** The first position that is no whitespace, or else the end of the span. */
        static int skipBlank(byte[] body, int from, int to) {
            int at = from;
            while (at < to && isBlank(body[at])) {
                at++;
            }
            return at;
        }

        /** Whether a character, or a byte of UTF-8, is JSON whitespace. */
        static boolean isBlank(int c) {
            return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
        }
    }

    /** The JSON parsers of this package, which bound what a hostile body can make them do. */
    static final class Json {

        private static final int MAX_NESTING = 1_000;
        private static final int MAX_NAME = 10_000;
        /** SQS messages have at most 1 MiB; numbers are bounded event by event, so that a long one spoils only its own. */
        static final int MAX_VALUE = 2 * 1_024 * 1_024;
        /** Bytes by which a parser would recognize an encoding other than UTF-8: then one of them is zero (RFC 4627, 3). */
        private static final int ENCODING_BYTES = 4;

        /**
         * Names of fields are kept, as events repeat them: at most some 50,000 while a text is read, and 6,000 from one to the
         * next, however many a producer makes up. Interned ones would fill the memory of the process.
         */
        private static final JsonFactory FACTORY = JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING)
                        .maxNameLength(MAX_NAME).maxNumberLength(MAX_VALUE).maxStringLength(MAX_VALUE).build())
                .build();

        private Json() {
        }

        /** A parser of a part of a text, which must be well-formed UTF-8. Its locations are in bytes from there. */
        static JsonParser parser(byte[] text, int from, int to) throws IOException {
            for (int i = from; i < Math.min(to, from + ENCODING_BYTES); i++) {
                if (text[i] == 0) {
                    throw new JsonParseException(null, "found a zero character");
                }
            }
            return FACTORY.createParser(text, from, to - from);
        }
    }
}
