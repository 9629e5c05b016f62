package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.windrow.base.Reason;

/**
 * Follows the arrays that lead to the events of a message, from a field of the message to a field of each of its elements, and
 * reads what forms need of the objects on the way. Each object is read once for each array that leads to it.
 */
final class NestedArrays {

    private final byte[] text;
    private final List<String> each;
    private final FormReader by;
    private final EventCollector collector;
    private final Innermost innermost;
    private int index;

    /** Reads the elements of an array that holds events. */
    interface Innermost {

        /**
         * @param json positioned at the array's start
         * @param offset position in the text at which the parser began
         * @param first the index of the first element
         * @return the index after the last element
         */
        int read(JsonParser json, int offset, int first) throws IOException;
    }

    /** An array field of the text. */
    record Array(int from, int size, boolean isTwice) {
    }

    /** @param first the index of the first event */
    NestedArrays(byte[] text, List<String> each, FormReader by, EventCollector collector, Innermost innermost, int first) {
        this.text = text;
        this.each = each;
        this.by = by;
        this.collector = collector;
        this.innermost = innermost;
        this.index = first;
    }

    /** Returns the array fields with one of these names of a text; none if the text is not one JSON object. */
    static Map<String, Array> of(byte[] text, int start, Set<String> names) {
        Map<String, Array> arrays = new HashMap<>();
        try (JsonParser parser = MessageBody.parser(text, start, text.length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Map.of();
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                if (parser.nextToken() != JsonToken.START_ARRAY || !names.contains(name)) {
                    parser.skipChildren();
                    continue;
                }
                int from = start + (int) parser.currentTokenLocation().getByteOffset();
                int size = size(parser);
                arrays.merge(name, new Array(from, size, false), (one, other) -> new Array(one.from, one.size, true));
            }
            return parser.nextToken() == null ? arrays : Map.of();
        } catch (IOException e) {
            // The reader of one event reports the error.
            return Map.of();
        }
    }

    private static int size(JsonParser parser) throws IOException {
        int size = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            parser.skipChildren();
            size++;
        }
        return size;
    }

    /**
     * Returns whether a text holds one event.
     *
     * @param from position of the outermost object
     */
    static boolean isOne(byte[] text, int from, List<String> each) throws IOException {
        try (JsonParser parser = MessageBody.parser(text, from, text.length)) {
            parser.nextToken();
            return count(parser, each, 0) == 1;
        }
    }

    /** Counts the events in an object, and everything that is in the place of some. */
    private static int count(JsonParser parser, List<String> each, int level) throws IOException {
        int count = 0;
        int arrays = 0;
        boolean isOther = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            boolean isNamed = parser.currentName().equals(each.get(level));
            JsonToken token = parser.nextToken();
            if (token != JsonToken.START_ARRAY || !isNamed) {
                parser.skipChildren();
                isOther |= isNamed && token != JsonToken.VALUE_NULL;
                continue;
            }
            arrays++;
            if (level == each.size() - 1) {
                count += size(parser);
                continue;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
                count += isObject ? count(parser, each, level + 1) : 1;
                parser.skipChildren();
            }
        }
        return level > 0 && (arrays > 1 || isOther) ? 1 : count;
    }

    /**
     * Reads all events.
     *
     * @param from position of the outermost object, which is JSON
     */
    void read(int from) throws IOException {
        object(0, from, text.length, null);
    }

    /**
     * Reads all events of a single array, if nothing around it is needed.
     *
     * @param from position of the array
     */
    void readArray(int from) throws IOException {
        array(0, from, new Wrap(text, null, each.get(0), List.of()));
    }

    private void object(int level, int from, int to, @Nullable Wrap outer) throws IOException {
        String name = each.get(level);
        int arrays = each.size() - level;
        Wrap wrap = new Wrap(text, outer, name, new ArrayList<>());
        int array = -1;
        boolean isTwice = false;
        boolean isOther = false;
        by.enter();
        try (JsonParser parser = MessageBody.parser(text, from, to)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String field = parser.currentName();
                int start = from + (int) parser.currentTokenLocation().getByteOffset();
                JsonToken token = parser.nextToken();
                if (field.equals(name)) {
                    isTwice |= token == JsonToken.START_ARRAY && array >= 0;
                    isOther |= token != JsonToken.START_ARRAY && token != JsonToken.VALUE_NULL;
                    array = token == JsonToken.START_ARRAY ? from + (int) parser.currentTokenLocation().getByteOffset() : array;
                    parser.skipChildren();
                } else if (by.isUsed(arrays, field)) {
                    by.parentField(parser, arrays, field);
                    wrap.kept.add(new Span(text, start, from + end(parser)));
                } else {
                    parser.skipChildren();
                }
            }
        }
        if (level > 0 && (isTwice || isOther)) {
            reject(isTwice ? Reason.DUPLICATE_FIELD : Reason.WRONG_FIELD_TYPE, name,
                    isTwice ? "the field appears twice" : "expected an array", from, to, outer);
        } else if (array >= 0) {
            array(level, array, wrap);
        }
        by.leave();
    }

    private void array(int level, int at, Wrap wrap) throws IOException {
        try (JsonParser parser = MessageBody.parser(text, at, text.length)) {
            JsonToken token = parser.nextToken();
            if (level == each.size() - 1) {
                collector.within(wrap::before, wrap::after);
                index = innermost.read(parser, at, index);
                return;
            }
            for (token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                int from = at + (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                int to = at + end(parser);
                if (token == JsonToken.START_OBJECT) {
                    object(level + 1, from, to, wrap);
                } else {
                    reject(Reason.NOT_AN_OBJECT, each.get(level), "expected objects in the array", from, to, wrap);
                }
            }
        }
    }

    /** Returns the position after the current value. The parser moves past a string only when the string is read. */
    static int end(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            parser.getTextLength();
        }
        return (int) parser.currentLocation().getByteOffset();
    }

    private void reject(Reason reason, String field, String detail, int from, int to, @Nullable Wrap outer) {
        if (outer != null) {
            collector.within(outer::before, outer::after);
        }
        collector.bad(new RejectedEvent(index, reason, field, detail), null, new Span(text, from, to));
        index++;
    }

    /** An object around events, so that a dead letter of one of them is read as it was in its message. */
    private record Wrap(byte[] text, @Nullable Wrap outer, String each, List<Span> kept) {

        String before() {
            StringBuilder before = new StringBuilder(outer == null ? "" : outer.before()).append('{');
            for (Span span : kept) {
                before.append(new String(text, span.from(), span.to() - span.from(), UTF_8).strip()).append(',');
            }
            return before.append('"').append(JsonStringEncoder.getInstance().quoteAsString(each)).append("\":[").toString();
        }

        String after() {
            return "]}" + (outer == null ? "" : outer.after());
        }
    }
}
