package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * The text of a message as UTF-8: most bodies are parsed once, as bytes, and UTF-8 has no unpaired surrogates.
 *
 * @param utf8 well-formed UTF-8; must not be modified
 */
public record MessageBody(byte[] utf8) {

    private static final int CHECKED_CHARACTERS = 8_192;
    private static final int MAX_NESTING = 1_000;
    private static final int MAX_NAME = 10_000;
    /** SQS messages have at most 1 MiB. Numbers are bounded per event, so that a long one spoils only its own event. */
    static final int MAX_VALUE = 2 * 1_024 * 1_024;
    /** Bytes from which a parser detects an encoding other than UTF-8: then one of them is zero (RFC 4627, section 3). */
    private static final int ENCODING_BYTES = 4;

    /**
     * Caches field names, as events repeat them: at most about 50,000 while a text is read, and 6,000 from one text to the
     * next, however many a producer makes up. Interned names would fill the memory of the process.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING)
                    .maxNameLength(MAX_NAME).maxNumberLength(MAX_VALUE).maxStringLength(MAX_VALUE).build())
            .build();

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

    /** Creates a parser for a part of a text, which must be well-formed UTF-8. Its locations are byte offsets in the part. */
    static JsonParser parser(byte[] text, int from, int to) throws IOException {
        for (int i = from; i < Math.min(to, from + ENCODING_BYTES); i++) {
            if (text[i] == 0) {
                throw new JsonParseException(null, "found a zero character");
            }
        }
        return FACTORY.createParser(text, from, to - from);
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
