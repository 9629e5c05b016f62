package dev.windrow.writer.decode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.event.Event;
import dev.windrow.measure.Measure;
import dev.windrow.reason.Reason;
import dev.windrow.writer.message.Message;

/**
 * Reads message bodies: one JSON event, an array of them, or one a line, recognised for each message. A line that is not
 * JSON is rejected alone; an array that is not JSON is rejected whole, as no event of it can be told from the others.
 * Thread-safe.
 */
public final class EventDecoder {

    private static final int LONGEST_DETAIL = 200;

    private final Set<String> usedAttributes;

    /** @param datasets only attributes that these use are read */
    public EventDecoder(Datasets datasets) {
        Set<String> used = new HashSet<>();
        for (Dataset dataset : datasets.all()) {
            used.addAll(dataset.label());
            for (Measure measure : dataset.measures()) {
                measure.source().ifPresent(used::add);
            }
        }
        this.usedAttributes = Set.copyOf(used);
    }

    /** The events of a message, and what is wrong with those that are not good. */
    public Decoded decode(Message message) {
        String body = message.body();
        BodyKind kind = BodyKind.of(body);
        Reading reading = new Reading(body.toCharArray(), new EventReader(usedAttributes, Hints.NONE));
        switch (kind) {
            case OBJECT -> reading.value(0, body.length(), Rejection.WHOLE);
            case LINES -> reading.lines();
            case ARRAY -> reading.array();
        }
        return new Decoded(kind, reading.events, reading.rejections);
    }

    /** One body being read. */
    private static final class Reading {

        private final char[] text;
        private final EventReader reader;
        private final List<DecodedEvent> events = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();

        Reading(char[] text, EventReader reader) {
            this.text = text;
            this.reader = reader;
        }

        void lines() {
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
        void value(int from, int to, int index) {
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

        void array() {
            try (JsonParser parser = Json.FACTORY.createParser(text, 0, text.length)) {
                parser.nextToken();
                for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
                    note(index, reader.read(parser, index));
                }
                if (parser.nextToken() != null) {
                    reject(notJson(Rejection.WHOLE, "expected nothing after the array"));
                }
            } catch (IOException e) {
                reject(notJson(Rejection.WHOLE, detail(e)));
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
        private void reject(Rejection whole) {
            events.clear();
            rejections.clear();
            rejections.add(whole);
        }
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
