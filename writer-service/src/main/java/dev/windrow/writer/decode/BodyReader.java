package dev.windrow.writer.decode;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Event;

/** Reads one text: one event, an array of them, or one per line. */
final class BodyReader {

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
        Utf8Offsets offsets = new Utf8Offsets(text, start);
        try (JsonParser parser = Json.parser(text, start, text.length)) {
            parser.nextToken();
            JsonToken token = parser.nextToken();
            for (int index = 0; token != JsonToken.END_ARRAY; index++) {
                int from = offsets.byteAt(parser.currentTokenLocation().getCharOffset());
                reader.start(index);
                Event event = reader.read(parser);
                if (token == JsonToken.VALUE_STRING) {
                    // The parser is behind a string only once it has been read.
                    parser.getTextLength();
                }
                note(index, event, from, offsets.byteAt(parser.currentLocation().getCharOffset()));
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
}
