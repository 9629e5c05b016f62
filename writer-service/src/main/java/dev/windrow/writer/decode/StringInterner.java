package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Recently read strings. Types and labels repeat: an interned one costs no memory and has its hash already. Bounded, as a
 * string replaces another one whose hash has the same highest bits. Thread-safe: at worst a string is created twice.
 */
final class StringInterner {

    private static final int PLACE_BITS = 12;
    private static final int LONGEST = 256;

    private final @Nullable Known[] known = new Known[1 << PLACE_BITS];

    private record Known(byte[] utf8, String text) {

        static Known of(byte[] utf8, int from, int to) {
            byte[] copy = Arrays.copyOfRange(utf8, from, to);
            return new Known(copy, new String(copy, UTF_8));
        }

        boolean is(byte[] other, int from, int to) {
            return Arrays.equals(utf8, 0, utf8.length, other, from, to);
        }
    }

    /**
     * The string of these bytes of UTF-8.
     *
     * @param hash of the bytes
     */
    String of(byte[] utf8, int from, int to, long hash) {
        if (to - from > LONGEST) {
            return new String(utf8, from, to - from, UTF_8);
        }
        int place = (int) (hash >>> (Long.SIZE - PLACE_BITS));
        Known text = known[place];
        if (text == null || !text.is(utf8, from, to)) {
            text = Known.of(utf8, from, to);
            known[place] = text;
        }
        return text.text();
    }
}
