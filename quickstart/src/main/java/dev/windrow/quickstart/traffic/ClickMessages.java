package dev.windrow.quickstart.traffic;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes clicks as events, a line each, and packs them into message bodies: one write to the queue carries many events. */
public final class ClickMessages implements Iterator<ClickMessages.Message> {

    /**
     * A message body and how many events it holds.
     *
     * @param body newline-delimited JSON
     * @param events at least one
     */
    public record Message(String body, int events) {
    }

    /** Ten such messages stay well under the 256 KiB that a batch could always hold. */
    private static final int MAX_CHARACTERS = 20_000;
    private static final int MAX_EVENTS = 100;

    private final Iterator<Click> clicks;

    public ClickMessages(Iterator<Click> clicks) {
        this.clicks = clicks;
    }

    @Override
    public boolean hasNext() {
        return clicks.hasNext();
    }

    @Override
    public Message next() {
        if (!hasNext()) {
            throw new NoSuchElementException("no more clicks");
        }
        List<String> lines = new ArrayList<>();
        int characters = 0;
        while (clicks.hasNext() && lines.size() < MAX_EVENTS && characters < MAX_CHARACTERS) {
            String line = event(clicks.next()).toString();
            lines.add(line);
            characters += line.length();
        }
        return new Message(String.join("\n", lines), lines.size());
    }

    private static ObjectNode event(Click click) {
        ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", "click").put("time", click.time().toString());
        event.putObject("attributes").put("referrer", click.referrer()).put("url", click.url()).put("host", click.host())
                .put("status", click.status()).put("bytes", click.bytes());
        return event;
    }
}
