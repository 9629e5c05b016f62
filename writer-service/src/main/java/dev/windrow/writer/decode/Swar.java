package dev.windrow.writer.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** SIMD within a register: examines eight bytes at a time, as byte-by-byte loops dominate the time of parsing an event. */
final class Swar {

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = ONES << 7;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private Swar() {
    }

    /** Eight bytes, the first one lowest. */
    static long at(byte[] bytes, int position) {
        return (long) WORDS.get(bytes, position);
    }

    /** How many of a word's bytes come before the first that is a quote, a backslash or a control character; 8 if none is. */
    static int plainBytes(long word) {
        // Each difference borrows from the highest bit of a byte that is zero, or too small, and perhaps of later ones.
        long quotes = word ^ ONES * '"';
        long backslashes = word ^ ONES * '\\';
        long found = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - ONES * ' ') & ~word);
        return Long.numberOfTrailingZeros(found & HIGHEST_BITS) / Byte.SIZE;
    }

    /** How many of a word's bytes come before the first that is a line feed; 8 if none is. */
    static int bytesBeforeLineFeed(long word) {
        long lineFeeds = word ^ ONES * '\n';
        return Long.numberOfTrailingZeros((lineFeeds - ONES) & ~lineFeeds & HIGHEST_BITS) / Byte.SIZE;
    }

    /** A mask of a word's first bytes, 0 to 8 of them. */
    static long lowest(int bytes) {
        return bytes == Long.BYTES ? -1 : (1L << (bytes * Byte.SIZE)) - 1;
    }

    /**
     * Adds eight bytes to a hash; use its high bits.
     *
     * @param hash of the bytes before, 0 at first
     * @param word padded with zeros if there are fewer
     */
    static long hash(long hash, long word) {
        return (hash ^ word) * GOLDEN_RATIO;
    }
}
