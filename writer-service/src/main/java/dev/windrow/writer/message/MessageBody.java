package dev.windrow.writer.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** The text of a message, kept as UTF-8: most bodies are parsed as bytes, once, and an unpaired surrogate is not text. */
public final class MessageBody {

    private static final int CHECKED_CHARACTERS = 8_192;

    private final byte[] utf8;

    private MessageBody(byte[] utf8) {
        this.utf8 = utf8;
    }

    public static MessageBody of(String text) {
        return new MessageBody(text.getBytes(UTF_8));
    }

    /**
     * A text from bytes.
     *
     * @param bytes not to be changed any more
     * @return null if they are not well-formed UTF-8
     */
    public static @Nullable MessageBody ofUtf8(byte[] bytes) {
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

    /** Well-formed UTF-8, not to be changed. */
    public byte[] utf8() {
        return utf8;
    }

    /** In bytes. */
    public int length() {
        return utf8.length;
    }

    /** The text. */
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
