package dev.windrow.writer.decode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.event.Event;
import dev.windrow.reason.Reason;

/** Reads one text: one event, an array of them, or one a line. */
final class BodyReader {

    private static final int LONGEST_DETAIL = 200;

    private final char[] text;
    private final EventReader reader;
    private final List<DecodedEvent> events = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();

    BodyReader(char[] text, EventReader reader) {
        this.text = text;
        this.reader = reader;
    }

    List<DecodedEvent> events() {
        return events;
    }

    List<Rejection> rejections() {
        return rejections;
    }

    void read(BodyKind kind) {
        switch (kind) {
            case OBJECT -> value(0, text.length, Rejection.WHOLE);
            case LINES -> lines();
            case ARRAY -> array();
        }
    }

    private void lines() {
        int line = 0;
        int from = 0;
        while (from < text.length) {
            int to = from;
            boolean blank = true;
            while (to < text.length && text[to] != '\n') {
                blank &= BodyKind.isBlank(text[to]);
                to++;
            }
            if (!blank) {
                value(from, to, line);
            }
            from = to + 1;
            line++;
        }
    }

    /** Reads a span that should hold one event and nothing else. */
    private void value(int from, int to, int index) {
        try (JsonParser parser = Json.FACTORY.createParser(text, from, to - from)) {
            if (parser.nextToken() == null) {
                rejections.add(notJson(index, "expected a JSON event, found nothing"));
                return;
            }
            Event event = reader.read(parser, index);
            if (parser.nextToken() != null) {
                rejections.add(notJson(index, "expected nothing after the event"));
            } else {
                note(index, event);
            }
        } catch (IOException e) {
            rejections.add(notJson(index, detail(e)));
        }
    }

    private void array() {
        try (JsonParser parser = Json.FACTORY.createParser(text, 0, text.length)) {
            parser.nextToken();
            for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
                note(index, reader.read(parser, index));
            }
            if (parser.nextToken() != null) {
                rejectAll("expected nothing after the array");
            }
        } catch (IOException e) {
            rejectAll(detail(e));
        }
    }

    private void note(int index, @Nullable Event event) {
        if (event == null) {
            rejections.add(reader.rejection());
        } else {
            events.add(new DecodedEvent(index, event));
        }
    }

    /** The body is sent away whole, so none of its events may count now. */
    private void rejectAll(String detail) {
        events.clear();
        rejections.clear();
        rejections.add(notJson(Rejection.WHOLE, detail));
    }

    private static Rejection notJson(int index, String detail) {
        return new Rejection(index, Reason.NOT_JSON, "body", detail);
    }

    private static String detail(IOException e) {
        String problem = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        String text = "expected JSON: " + problem;
        return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL);
    }
}
