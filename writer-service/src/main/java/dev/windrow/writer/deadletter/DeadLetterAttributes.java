package dev.windrow.writer.deadletter;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Provenance;

/** The message attributes of a dead letter. */
final class DeadLetterAttributes {

    private static final int MAX_DETAIL = 1_000;

    private DeadLetterAttributes() {
    }

    /**
     * The reason, the identity of the original message, and as many of the message's own attributes as fit: first those
     * that say how its events are read. A dead letter that fails again after a replay keeps its provenance.
     */
    static Map<String, String> of(DeadLetter letter) {
        Message message = letter.message();
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(Provenance.REASON, letter.reason().word());
        attributes.put(Provenance.DETAIL, detail(letter.detail()));
        attributes.put(Provenance.FIRST_SEEN, message.firstReceived().toString());
        attributes.put(Provenance.SOURCE_MESSAGE_ID, message.id());
        attributes.put(Provenance.SOURCE_SENT, Long.toString(message.identityMillis()));
        if (letter.index() != RejectedEvent.WHOLE) {
            attributes.put(Provenance.SOURCE_EVENT, Integer.toString(letter.index()));
        }
        for (String name : new String[] { Provenance.FIRST_SEEN, Provenance.SOURCE_MESSAGE_ID, Provenance.SOURCE_EVENT }) {
            String before = message.attributes().get(name);
            if (before != null) {
                attributes.merge(name, before, (mine, earlier) -> name.equals(Provenance.SOURCE_EVENT)
                        ? earlier + "#" + mine
                        : earlier);
            }
        }
        MessageAttributes.addUpToLimit(attributes, letter.attributes(), value -> value);
        return attributes;
    }

    /** Attribute values may not be empty. */
    private static String detail(String detail) {
        StringBuilder text = new StringBuilder();
        detail.codePoints().limit(MAX_DETAIL)
                .forEach(c -> text.appendCodePoint(c >= ' ' && SqsText.isAllowed(c) ? c : '?'));
        return text.length() == 0 ? "none" : text.toString();
    }
}
