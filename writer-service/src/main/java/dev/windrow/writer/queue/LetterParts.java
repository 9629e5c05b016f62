package dev.windrow.writer.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.windrow.writer.decode.Provenance;

/**
 * Fits a dead letter into messages of limited size, and joins these again. SQS limits body and attributes together. In this
 * order: the body is compressed, the detail shortened, attributes dropped that do not say how the body is read, and what is
 * left is divided.
 */
final class LetterParts {

    /** Enough for a letter of 1 MiB in a queue of messages of 32 KiB. */
    static final int MAX_PARTS = 64;

    private static final int SHORT_DETAIL = 100;
    static final Pattern PART = Pattern.compile("([1-9]\\d?)/([1-9]\\d?)");

    private LetterParts() {
    }

    /**
     * A message that holds a letter, or a part of it.
     *
     * @param number from 1; 0 if it is the whole letter
     */
    record Part(String body, Map<String, String> attributes, int number) {
    }

    /** Returns the messages that hold a letter, in order; none if it would take more than {@value #MAX_PARTS}. */
    static List<Part> of(DeadLetter letter, int maxBytes) {
        DeadLetter smaller = letter;
        if (!letter.isPacked()) {
            boolean allowed = DeadLetters.isAllowed(letter.body());
            Map<String, String> attributes = DeadLetters.attributes(letter, DeadLetters.MAX_DETAIL);
            if (allowed && size(letter.body(), attributes) <= maxBytes) {
                return List.of(new Part(letter.body(), attributes, 0));
            }
            DeadLetter packed = letter.packed();
            smaller = allowed && bytes(letter.body()) <= bytes(packed.body()) ? letter : packed;
        }
        int room = maxBytes - bytes(smaller.body());
        Map<String, String> attributes = DeadLetters.attributes(smaller, DeadLetters.MAX_DETAIL);
        if (size(attributes) > room) {
            attributes = DeadLetters.attributes(smaller, SHORT_DETAIL);
        }
        for (String name : DeadLetters.dispensable(attributes)) {
            if (size(attributes) > room) {
                attributes.remove(name);
            }
        }
        return size(attributes) <= room ? List.of(new Part(smaller.body(), attributes, 0))
                : divided(smaller.body(), attributes, maxBytes);
    }

    private static List<Part> divided(String body, Map<String, String> attributes, int maxBytes) {
        Map<String, String> ofPart = new LinkedHashMap<>(attributes);
        if (ofPart.size() == DeadLetters.MAX_ATTRIBUTES) {
            ofPart.remove(Provenance.DETAIL);
        }
        ofPart.put(Provenance.PART, MAX_PARTS + "/" + MAX_PARTS);
        List<String> bodies = pieces(body, maxBytes - size(ofPart));
        List<Part> parts = new ArrayList<>();
        for (String piece : bodies) {
            Map<String, String> own = new LinkedHashMap<>(ofPart);
            own.put(Provenance.PART, (parts.size() + 1) + "/" + bodies.size());
            parts.add(new Part(piece, own, parts.size() + 1));
        }
        return parts;
    }

    /** Divides a text into pieces of a size in UTF-8; none if there would be too many. */
    private static List<String> pieces(String text, int maxBytes) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (from < text.length() && pieces.size() < MAX_PARTS) {
            int to = from;
            for (int left = maxBytes; to < text.length();) {
                int character = text.codePointAt(to);
                left -= character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
                if (left < 0) {
                    break;
                }
                to += Character.charCount(character);
            }
            if (to == from) {
                return List.of();
            }
            pieces.add(text.substring(from, to));
            from = to;
        }
        return from < text.length() ? List.of() : pieces;
    }

    /** Returns the size of a message as SQS counts it: its body, and names, types and values of its attributes. */
    private static int size(String body, Map<String, String> attributes) {
        return bytes(body) + size(attributes);
    }

    private static int size(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .mapToInt(attribute -> bytes(attribute.getKey()) + "String".length() + bytes(attribute.getValue())).sum();
    }

    private static int bytes(String text) {
        return text.getBytes(UTF_8).length;
    }

}
