package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A field's name as it usually stands in JSON: quoted, without escapes, and followed at once by a colon. Recognized by its
 * first sixteen bytes, eight at a time, as most fields of an event are one of few.
 */
final class FieldName {

    private static final int WORDS_BYTES = 2 * Long.BYTES;

    private final String name;
    private final byte[] token;
    private final long first;
    private final long firstMask;
    private final long second;
    private final long secondMask;

    /** @param name without characters that JSON escapes */
    FieldName(String name) {
        this.name = name;
        this.token = ('"' + name + "\":").getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(token, Math.max(token.length, WORDS_BYTES));
        this.first = Swar.at(padded, 0);
        this.firstMask = Swar.lowest(Math.min(token.length, Long.BYTES));
        this.second = Swar.at(padded, Long.BYTES);
        this.secondMask = Swar.lowest(Math.max(0, Math.min(token.length - Long.BYTES, Long.BYTES)));
    }

    /** The name itself. */
    String name() {
        return name;
    }

    /** Number of bytes with quotes and colon. */
    int length() {
        return token.length;
    }

    /**
     * Whether the field starts at a position.
     *
     * @param end of the text that may be read
     */
    boolean isAt(byte[] text, int at, int end) {
        if (end - at < token.length) {
            return false;
        }
        if (at + WORDS_BYTES > text.length) {
            return Arrays.equals(text, at, at + token.length, token, 0, token.length);
        }
        return ((Swar.at(text, at) ^ first) & firstMask) == 0
                && ((Swar.at(text, at + Long.BYTES) ^ second) & secondMask) == 0
                && (token.length <= WORDS_BYTES || Arrays.equals(text, at + WORDS_BYTES, at + token.length, token,
                        WORDS_BYTES, token.length));
    }
}
