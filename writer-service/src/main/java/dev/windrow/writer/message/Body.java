package dev.windrow.writer.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** The text of a message, kept as UTF-8: most bodies are read as bytes, once, and half a surrogate pair is no text. */
public final class Body {

    private final byte[] utf8;

    private Body(byte[] utf8) {
        this.utf8 = utf8;
    }

    public static Body of(String text) {
        return new Body(text.getBytes(UTF_8));
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
        return this == other || (other instanceof Body body && Arrays.equals(utf8, body.utf8));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }
}
