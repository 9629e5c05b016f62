package dev.windrow.writer.journal.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the parts of a record: numbers of variable length, and texts by what differs from the one before. */
final class RecordWriter {

    private static final int USUAL_BYTES = 8_192;

    private byte[] bytes = new byte[USUAL_BYTES];
    private int length;

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    void number(long number) {
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            octet((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        octet((int) rest);
    }

    /** A number that may be negative: small ones of either sign are short. */
    void signed(long number) {
        number((number << 1) ^ (number >> 63));
    }

    void octet(int octet) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) octet;
    }

    void bytes(byte[] some) {
        number(some.length);
        append(some, 0, some.length);
    }

    /** A text, as the number of bytes that it shares with the one before and those that follow; returns its bytes. */
    byte[] text(byte[] before, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int common = Arrays.mismatch(before, utf8);
        int shared = common < 0 ? utf8.length : common;
        number(shared);
        number(utf8.length - shared);
        append(utf8, shared, utf8.length - shared);
        return utf8;
    }

    private void append(byte[] some, int from, int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
        System.arraycopy(some, from, bytes, length, count);
        length += count;
    }
}
