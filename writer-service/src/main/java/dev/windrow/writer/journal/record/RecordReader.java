package dev.windrow.writer.journal.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.windrow.table.TableSchema.AwsLimits;

/** Reads what {@link RecordWriter} wrote; never more than there is, whatever the bytes say. */
final class RecordReader {

    private static final int NUMBER_BITS = 63;

    private final byte[] bytes;
    private int at;

    RecordReader(byte[] bytes) {
        this.bytes = bytes;
    }

    long number() {
        long number = 0;
        for (int shift = 0; shift <= NUMBER_BITS; shift += 7) {
            int octet = octet();
            number |= (long) (octet & 0x7F) << shift;
            if ((octet & 0x80) == 0) {
                return number;
            }
        }
        throw UnreadableRecordException.damaged("a number without end");
    }

    long signed() {
        long number = number();
        return (number >>> 1) ^ -(number & 1);
    }

    int octet() {
        requireLeft(1);
        return bytes[at++] & 0xFF;
    }

    /** Reads a count of elements that take at least a number of bytes each. */
    int count(int bytesOfEach) {
        long count = number();
        if (count < 0 || count > (bytes.length - at) / bytesOfEach) {
            throw UnreadableRecordException.damaged("a count of " + count);
        }
        return (int) count;
    }

    /** A position in a list. */
    int position(int size) {
        long position = number();
        if (position < 0 || position >= size) {
            throw UnreadableRecordException.damaged("position " + position + " of " + size);
        }
        return (int) position;
    }

    byte[] bytes() {
        return take(count(1));
    }

    byte[] text(byte[] before) {
        int shared = position(before.length + 1);
        byte[] rest = bytes();
        if (shared + rest.length > AwsLimits.PARTITION_KEY_BYTES) {
            throw UnreadableRecordException.damaged("a text of " + (shared + rest.length) + " bytes");
        }
        byte[] text = Arrays.copyOf(before, shared + rest.length);
        System.arraycopy(rest, 0, text, shared, rest.length);
        return text;
    }

    static String string(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
        } catch (CharacterCodingException e) {
            throw UnreadableRecordException.damaged("text that is not UTF-8");
        }
    }

    void requireEnd() {
        if (at != bytes.length) {
            throw UnreadableRecordException.damaged(bytes.length - at + " bytes too many");
        }
    }

    private byte[] take(int count) {
        requireLeft(count);
        byte[] some = Arrays.copyOfRange(bytes, at, at + count);
        at += count;
        return some;
    }

    private void requireLeft(int count) {
        if (count > bytes.length - at) {
            throw UnreadableRecordException.damaged("an early end");
        }
    }
}
