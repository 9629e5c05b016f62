package dev.windrow.writer.deadletter;

import java.util.HashMap;
import java.util.Map;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.message.Message;

/**
 * A message, or one event in it, that cannot be counted, and why.
 *
 * @param message the message
 * @param index the event's position in the message, or {@link RejectedEvent#WHOLE}
 * @param body the message's body, or the event's own text
 * @param attributes message attributes that belong to that body, besides those that describe the dead letter
 * @param reason why
 * @param detail what was expected and found
 */
public record DeadLetter(Message message, int index, String body, Map<String, String> attributes, Reason reason,
        String detail) {

    public DeadLetter {
        attributes = Map.copyOf(attributes);
    }

    /** One event of a message, uncompressed. */
    public static DeadLetter event(Message message, int index, String text, Map<String, String> attributes, Reason reason,
            String detail) {
        Map<String, String> unpacked = new HashMap<>(attributes);
        unpacked.remove(CompressedBody.ATTRIBUTE);
        return new DeadLetter(message, index, text, unpacked, reason, detail);
    }

    /** Whether its body is compressed. */
    boolean isPacked() {
        return attributes.containsKey(CompressedBody.ATTRIBUTE);
    }

    /** The same with its body compressed. */
    DeadLetter packed() {
        Map<String, String> all = new HashMap<>(attributes);
        all.put(CompressedBody.ATTRIBUTE, CompressedBody.GZIP);
        return new DeadLetter(message, index, CompressedBody.of(body), all, reason, detail);
    }

    /** A whole message, as received. */
    public static DeadLetter whole(Message message, Reason reason, String detail) {
        return new DeadLetter(message, RejectedEvent.WHOLE, message.body().toString(), message.attributes(), reason, detail);
    }
}
