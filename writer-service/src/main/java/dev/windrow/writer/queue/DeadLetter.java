package dev.windrow.writer.queue;

import java.util.HashMap;
import java.util.Map;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Decompression;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.RejectedEvent;

/**
 * A message, or one event in it, that cannot be counted, and why.
 *
 * @param index the event's position in the message, or {@link RejectedEvent#WHOLE}
 * @param body the message's body, or the event's own text
 * @param attributes message attributes that belong to the body, besides those that describe the dead letter
 * @param detail what was expected and found
 */
public record DeadLetter(Message message, int index, String body, Map<String, String> attributes, Reason reason,
        String detail) {

    /** A dead letter for one event of a message, uncompressed. */
    public static DeadLetter event(Message message, int index, String text, Map<String, String> attributes, Reason reason,
            String detail) {
        Map<String, String> unpacked = new HashMap<>(attributes);
        unpacked.remove(Decompression.ATTRIBUTE);
        return new DeadLetter(message, index, text, unpacked, reason, detail);
    }

    boolean isPacked() {
        return attributes.containsKey(Decompression.ATTRIBUTE);
    }

    /** A copy with its body compressed. */
    DeadLetter packed() {
        Map<String, String> all = new HashMap<>(attributes);
        all.put(Decompression.ATTRIBUTE, "gzip");
        return new DeadLetter(message, index, DeadLetters.compressed(body), all, reason, detail);
    }

    /** A dead letter for a whole message, as received. */
    public static DeadLetter whole(Message message, Reason reason, String detail) {
        return new DeadLetter(message, RejectedEvent.WHOLE, message.body().toString(), message.attributes(), reason,
                detail);
    }
}
