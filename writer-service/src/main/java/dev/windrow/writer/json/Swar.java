package dev.windrow.writer.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** SIMD within a register: examines eight bytes at a time, as byte-by-byte loops dominate the time of parsing an event. */
public final class Swar {

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = ONES << 7;
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private Swar() {
    }

    /** Eight bytes, the first one lowest. */
    public static long at(byte[] bytes, int position) {
        return (long) WORDS.get(bytes, position);
    }

    /** Writes eight bytes, the lowest one first. */
    static void put(byte[] bytes, int position, long word) {
        WORDS.set(bytes, position, word);
    }

    /** How many of a word's bytes come before the first that is a quote, a backslash or a control character; 8 if none is. */
    static int plainBytes(long word) {
        // Each difference borrows from the highest bit of a byte that is zero, or too small, and perhaps of later ones.
        long quotes = word ^ ONES * '"';
        long backslashes = word ^ ONES * '\\';
        long found = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - ONES * ' ') & ~word);
        return Long.numberOfTrailingZeros(found & HIGHEST_BITS) / Byte.SIZE;
    }

    /** Which bytes of a word are a character of ASCII: the highest bit of each that is. */
    static long matches(long word, char c) {
        // Without carries between bytes, so that no byte is found that only follows one.
        long others = word ^ ONES * c;
        return ~(((others & ~HIGHEST_BITS) + ~HIGHEST_BITS) | others | ~HIGHEST_BITS);
    }

    /** The bytes that follow those found, the first one included if the last of the word before was found. */
    static long next(long found, boolean before) {
        return found << Byte.SIZE | (before ? 1L << (Byte.SIZE - 1) : 0);
    }

    /** Whether a byte of a word is a control character. */
    static boolean hasControls(long word) {
        return ((word - ONES * ' ') & ~word & HIGHEST_BITS) != 0;
    }

    /** A word without the bytes found; those that follow move up. */
    static long without(long word, long found) {
        long rest = word;
        for (long left = found; left != 0;) {
            int last = (Long.SIZE - 1 - Long.numberOfLeadingZeros(left)) / Byte.SIZE;
            long kept = lowest(last);
            rest = (rest & kept) | ((rest >>> Byte.SIZE) & ~kept);
            left &= kept;
        }
        return rest;
    }

    /** Whether all bytes are ASCII. */
    public static boolean isAscii(byte[] bytes) {
        long all = 0;
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            all |= at(bytes, at);
        }
        for (; at < bytes.length; at++) {
            all |= bytes[at];
        }
        return (all & HIGHEST_BITS) == 0;
    }

    /** A mask of a word's first bytes, 0 to 8 of them. */
    static long lowest(int bytes) {
        return bytes == Long.BYTES ? -1 : (1L << (bytes * Byte.SIZE)) - 1;
    }

    /**
     * Adds eight bytes to a hash, whose highest bits are the best.
     *
     * @param hash of the bytes before, 0 at first
     * @param word padded with zeros if there are fewer
     */
    static long hash(long hash, long word) {
        return (hash ^ word) * GOLDEN_RATIO;
    }
}
