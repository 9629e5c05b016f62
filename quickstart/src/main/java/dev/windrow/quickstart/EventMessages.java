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

/** Packs events, one per line, into message bodies, so that one write to the queue carries many events. */
final class EventMessages implements Iterator<EventMessage> {

    /** Ten messages of this size fit in the 256 KiB that a batch could always hold, unless a single event is larger. */
    private static final int MAX_BYTES = 20_000;
    private static final int MAX_EVENTS = 100;

    private final Iterator<EventLine> lines;
    /** A line that was read but not packed yet. */
    private @Nullable EventLine next;

    EventMessages(Stream<EventLine> lines) {
        this.lines = lines.iterator();
    }

    /** Packs clicks into messages. */
    static EventMessages of(Stream<Click> clicks) {
        PrimitiveIterator.OfLong numbers = LongStream.iterate(1, number -> number + 1).iterator();
        return new EventMessages(clicks.map(click -> new EventLine(numbers.nextLong(), event(click).toString())));
    }

    @Override
    public boolean hasNext() {
        return next != null || lines.hasNext();
    }

    @Override
    public EventMessage next() {
        EventLine first = next == null ? lines.next() : next;
        next = null;
        List<String> texts = new ArrayList<>(List.of(first.text()));
        int bytes = bytes(first);
        while (texts.size() < MAX_EVENTS && lines.hasNext()) {
            EventLine line = lines.next();
            bytes += bytes(line);
            // The line of a bad event is computed from the message's first line and the event's position.
            if (line.number() != first.number() + texts.size() || bytes > MAX_BYTES) {
                next = line;
                break;
            }
            texts.add(line.text());
        }
        return new EventMessage(String.join("\n", texts), first.number(), texts.size());
    }

    private static int bytes(EventLine line) {
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
