package dev.windrow.quickstart;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Packs events, a line each, into message bodies: one write to the queue carries many events. */
public final class EventMessages implements Iterator<EventMessages.Message> {

    /**
     * An event's text.
     *
     * @param number of its line in the file it came from, from 1
     * @param text a JSON object
     */
    public record Line(long number, String text) {
    }

    /**
     * A message body.
     *
     * @param body newline-delimited JSON
     * @param first the number of its first line; the others follow without a gap
     * @param events how many lines it has, 1 to 100: with more bad ones than that, a message has no good ones
     */
    public record Message(String body, long first, int events) {
    }

    /** Ten such messages stay under the 256 KiB that a batch could always hold, unless an event alone is larger. */
    private static final int MAX_BYTES = 20_000;
    private static final int MAX_EVENTS = 100;

    private final Iterator<Line> lines;
    private @Nullable Line next;

    public EventMessages(Iterator<Line> lines) {
        this.lines = lines;
    }

    /** Messages of clicks. */
    public static EventMessages of(Iterator<Click> clicks) {
        return new EventMessages(new Iterator<>() {

            private long number;

            @Override
            public boolean hasNext() {
                return clicks.hasNext();
            }

            @Override
            public Line next() {
                return new Line(++number, event(clicks.next()).toString());
            }
        });
    }

    @Override
    public boolean hasNext() {
        return next != null || lines.hasNext();
    }

    @Override
    public Message next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no more events");
        }
        List<String> texts = new ArrayList<>();
        Line first = take();
        Line line = first;
        int bytes = 0;
        while (true) {
            texts.add(line.text());
            bytes += bytes(line);
            if (!hasNext() || texts.size() == MAX_EVENTS) {
                break;
            }
            line = take();
            // A bad event is found again by the message's first line and its position.
            if (line.number() != first.number() + texts.size() || bytes + bytes(line) > MAX_BYTES) {
                next = line;
                break;
            }
        }
        return new Message(String.join("\n", texts), first.number(), texts.size());
    }

    private static int bytes(Line line) {
        return line.text().getBytes(StandardCharsets.UTF_8).length + 1;
    }

    private Line take() {
        Line taken = next == null ? lines.next() : next;
        next = null;
        return taken;
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
