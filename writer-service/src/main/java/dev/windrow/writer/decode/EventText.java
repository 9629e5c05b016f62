package dev.windrow.writer.decode;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** Finds the text of one event in a message body, again and exactly as it was sent: rejections are rare. */
public final class EventText {

    private EventText() {
    }

    /**
     * The text of the event that was rejected.
     *
     * @param kind how the body holds its events
     * @param index the event's position, or {@link Rejection#WHOLE} for the body itself
     */
    public static String of(String body, BodyKind kind, int index) {
        if (index == Rejection.WHOLE) {
            return body;
        }
        return switch (kind) {
            case OBJECT -> body;
            case LINES -> line(body, index);
            case ARRAY -> element(body, index);
        };
    }

    private static String line(String body, int index) {
        int from = 0;
        for (int i = 0; i < index; i++) {
            from = body.indexOf('\n', from) + 1;
        }
        int to = body.indexOf('\n', from);
        return (to < 0 ? body.substring(from) : body.substring(from, to)).strip();
    }

    private static String element(String body, int index) {
        try (JsonParser parser = Json.FACTORY.createParser(body.toCharArray())) {
            parser.nextToken();
            for (int i = 0; i < index; i++) {
                parser.nextToken();
                parser.skipChildren();
            }
            JsonToken first = parser.nextToken();
            int from = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            // A token's text ends where the parser stands only once it was read.
            if (first == JsonToken.VALUE_STRING) {
                parser.getTextLength();
            }
            return body.substring(from, (int) parser.currentLocation().getCharOffset()).strip();
        } catch (IOException e) {
            throw new IllegalStateException("an array that was read once is read again", e);
        }
    }
}
