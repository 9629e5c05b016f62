package dev.windrow.writer.message;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message.
 *
 * @param queue where it came from
 * @param id given by the queue when it was sent, the same on each delivery
 * @param receipt names this delivery
 * @param body its text
 * @param attributes its textual message attributes
 * @param sent when it was sent, the same on each delivery
 * @param firstReceived when it was received for the first time
 * @param receiveCount how many times it was received, this one included
 * @param group its message group; standard queues may have them too, where they mean no order
 */
public record Message(SourceQueue queue, String id, String receipt, MessageBody body, Map<String, String> attributes,
        Instant sent,
        Instant firstReceived, int receiveCount, @Nullable String group) {

    /** The group whose order counts: that of a FIFO queue. */
    public @Nullable String orderedGroup() {
        return queue.fifo() ? group : null;
    }

    /**
     * The identity by which redeliveries are recognized. A replayed dead letter has a new id, but keeps the identity of the
     * original message, so that what was counted before is not counted again.
     */
    public String identity() {
        String source = attributes.get(Provenance.SOURCE_MESSAGE_ID);
        if (source == null) {
            return id;
        }
        String event = attributes.get(Provenance.SOURCE_EVENT);
        return event == null ? source : source + "#" + event;
    }

    /** The sent time that belongs to the identity, in milliseconds since the epoch. */
    public long identityMillis() {
        String text = attributes.get(Provenance.SOURCE_SENT);
        // At most 15 digits: always a long.
        boolean given = text != null && !text.isEmpty() && text.length() <= 15
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return given ? Long.parseLong(text) : sent.toEpochMilli();
    }
}
