package dev.windrow.writer.decode;

import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message.
 *
 * @param id assigned by the queue when the message was sent, the same on each delivery
 * @param receipt identifies this delivery
 * @param attributes its textual message attributes; {@code content-encoding} in lower case, however it was sent
 * @param sent when it was sent, the same on each delivery
 * @param firstReceived when it was received for the first time
 * @param receiveCount how many times it was received, including this delivery
 * @param group its message group; standard queues may have groups too, but they imply no order
 */
public record Message(SourceQueue queue, String id, String receipt, MessageBody body, Map<String, String> attributes,
        Instant sent, Instant firstReceived, int receiveCount, @Nullable String group) {

    public Message {
        if (!attributes.keySet().stream().allMatch(name -> name.equals(Decompression.attributeName(name)))) {
            attributes = attributes.entrySet().stream().collect(Collectors.toUnmodifiableMap(
                    attribute -> Decompression.attributeName(attribute.getKey()), Map.Entry::getValue, (one, other) -> one));
        }
    }

    /** Returns the message group if its order matters, as in a FIFO queue; null otherwise. */
    public @Nullable String orderedGroup() {
        return queue.fifo() ? group : null;
    }

    /**
     * Returns the identity by which redeliveries are recognized. A replayed dead letter has a new id but keeps the identity of
     * the original message, so that nothing is counted twice.
     */
    public String identity() {
        String source = attributes.get(Provenance.SOURCE_MESSAGE_ID);
        if (source == null) {
            return id;
        }
        String event = attributes.get(Provenance.SOURCE_EVENT);
        return event == null ? source : source + "#" + event;
    }

    /** Returns the sent time that belongs to the identity, in milliseconds since the epoch. */
    public long identityMillis() {
        String text = attributes.get(Provenance.SOURCE_SENT);
        // At most 15 digits: always a long.
        boolean given = text != null && !text.isEmpty() && text.length() <= 15
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return given ? Long.parseLong(text) : sent.toEpochMilli();
    }

}
