package dev.windrow.writer.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.decode.Provenance;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Joins the parts of letters as they are received. Not thread-safe. */
final class LetterJoining {

    /** Bounds the memory of parts whose others have not been received. */
    private static final int MAX_HELD = 2 * LetterParts.MAX_PARTS;

    private final Map<String, TreeMap<Integer, Message>> letters = new HashMap<>();
    private int held;
    /** Ids of parts that were added and whose letter is not complete. */
    private final Set<String> incomplete = new LinkedHashSet<>();

    static boolean isPart(Message message) {
        return part(message).matches();
    }

    /** Adds a part. Returns all parts of its letter, in order, once they are complete; else none. */
    List<Message> add(Message message) {
        Matcher part = part(message);
        incomplete.add(message.messageId());
        if (!part.matches() || held == MAX_HELD) {
            return List.of();
        }
        int all = Integer.parseInt(part.group(2));
        String letter = value(message, Provenance.SOURCE_MESSAGE_ID) + "#" + value(message, Provenance.SOURCE_EVENT) + "/"
                + all;
        TreeMap<Integer, Message> parts = letters.computeIfAbsent(letter, key -> new TreeMap<>());
        // A letter that was sent twice has each part twice: the second copy stays incomplete for now.
        held += parts.putIfAbsent(Integer.parseInt(part.group(1)), message) == null ? 1 : 0;
        if (parts.size() < all) {
            return List.of();
        }
        letters.remove(letter);
        held -= all;
        parts.values().forEach(joined -> incomplete.remove(joined.messageId()));
        return List.copyOf(parts.values());
    }

    Set<String> incomplete() {
        return incomplete;
    }

    /** Joins all parts of a letter. */
    static Message joined(List<Message> parts) {
        StringBuilder body = new StringBuilder();
        parts.forEach(part -> body.append(part.body()));
        Map<String, MessageAttributeValue> attributes = new HashMap<>(parts.get(0).messageAttributes());
        attributes.remove(Provenance.PART);
        return parts.get(0).toBuilder().body(body.toString()).messageAttributes(attributes).build();
    }

    private static Matcher part(Message message) {
        String text = value(message, Provenance.PART);
        return LetterParts.PART.matcher(text == null ? "" : text);
    }

    private static @Nullable String value(Message message, String attribute) {
        MessageAttributeValue value = message.messageAttributes().get(attribute);
        return value == null ? null : value.stringValue();
    }
}
