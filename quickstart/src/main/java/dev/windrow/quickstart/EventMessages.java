package dev.windrow.quickstart;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Packs events, a line each, into message bodies: one write to the queue carries many events. */
final class EventMessages implements Iterator<EventMessages.Message> {

    /**
     * An event's text.
     *
     * @param number of its line in the file it came from, from 1
     * @param text a JSON object
     */
    record Line(long number, String text) {
    }

    /**
     * A message body.
     *
     * @param body newline-delimited JSON
     * @param first the number of its first line; the others follow without a gap
     * @param events how many lines it has, 1 to 100: with more bad ones than that, a message has no good ones
     */
    record Message(String body, long first, int events) {
    }

    /** Ten such messages stay under the 256 KiB that a batch could always hold, unless an event alone is larger. */
    private static final int MAX_BYTES = 20_000;
    private static final int MAX_EVENTS = 100;

    private final Iterator<Line> lines;
    /** Read already, but not packed. */
    private @Nullable Line next;

    EventMessages(Stream<Line> lines) {
        this.lines = lines.iterator();
    }

    /** Messages of clicks. */
    static EventMessages of(Stream<Click> clicks) {
        PrimitiveIterator.OfLong numbers = LongStream.iterate(1, number -> number + 1).iterator();
        return new EventMessages(clicks.map(click -> new Line(numbers.nextLong(), event(click).toString())));
    }

    @Override
    public boolean hasNext() {
        return next != null || lines.hasNext();
    }

    @Override
    public Message next() {
        Line first = next == null ? lines.next() : next;
        next = null;
        List<String> texts = new ArrayList<>(List.of(first.text()));
        int bytes = bytes(first);
        while (texts.size() < MAX_EVENTS && lines.hasNext()) {
            Line line = lines.next();
            bytes += bytes(line);
            // A bad event is found again by the message's first line and its position.
            if (line.number() != first.number() + texts.size() || bytes > MAX_BYTES) {
                next = line;
                break;
            }
            texts.add(line.text());
        }
        return new Message(String.join("\n", texts), first.number(), texts.size());
    }

    private static int bytes(Line line) {
        return line.text().getBytes(StandardCharsets.UTF_8).length + 1;
    }

    private static ObjectNode event(Click click) {
        ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", "click").put("time", click.time().toString());
        if (click.count() != 1) {
            event.put("count", click.count());
        }
        event.putObject("attributes").put("referrer", click.referrer()).put("page", click.page())
                .put("country", click.country()).put("bytes", click.bytes());
        return event;
    }
}
