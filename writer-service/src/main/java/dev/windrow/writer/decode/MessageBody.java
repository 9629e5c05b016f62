package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The text of a message as UTF-8: most bodies are parsed once, as bytes, and UTF-8 has no unpaired surrogates.
 *
 * @param utf8 well-formed UTF-8; must not be modified
 */
public record MessageBody(byte[] utf8) {

    private static final int CHECKED_CHARACTERS = 8_192;

    public static MessageBody of(String text) {
        return new MessageBody(text.getBytes(UTF_8));
    }

    /** Creates a text from bytes, which must not be modified afterwards; null if they are not well-formed UTF-8. */
    static @Nullable MessageBody ofUtf8(byte[] bytes) {
        return isUtf8(bytes) ? new MessageBody(bytes) : null;
    }

    private static boolean isUtf8(byte[] bytes) {
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(CHECKED_CHARACTERS);
        CoderResult result;
        do {
            result = decoder.decode(in, out.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
    }

    /** Returns the length in bytes. */
    public int length() {
        return utf8.length;
    }

    @Override
    public String toString() {
        return new String(utf8, UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof MessageBody body && Arrays.equals(utf8, body.utf8));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }
}
