package dev.windrow.writer.journal.record;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A record as bytes: one byte of format, the length of the body, and the body, compressed with zlib (RFC 1950), whose
 * checksum shows damage. Part of the storage format: what a format means never changes; a change of meaning is a new format.
 * Format 1 are records of claims, and format 2 those of deferred additions.
 */
public final class RecordCodec {

    /** The format of claims' records. */
    public static final int FORMAT = 1;

    /** The format of records of deferred additions, and the newest that is read. */
    public static final int DEFERRED_FORMAT = 2;

    /** Maximum length of a body, in bytes: what a damaged record may take of memory. */
    public static final int MAX_BODY_BYTES = 16 * 1_024 * 1_024;

    private static final int HEADER_BYTES = 5;

    private RecordCodec() {
    }

    /**
     * Writes a record.
     *
     * @throws IllegalArgumentException if its body is longer than {@link #MAX_BODY_BYTES}
     */
    public static byte[] encode(JournalRecord record) {
        byte[] body = RecordBody.write(record);
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("expected a record of at most " + MAX_BODY_BYTES + " bytes, found "
                    + body.length);
        }
        // The fastest level: keys repeat so much that the best one gains little.
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(body);
            deflater.finish();
            byte[] bytes = new byte[HEADER_BYTES + bound(body.length)];
            bytes[0] = (byte) (record.isDeferred() ? DEFERRED_FORMAT : FORMAT);
            for (int i = 1; i < HEADER_BYTES; i++) {
                bytes[i] = (byte) (body.length >>> (Byte.SIZE * (HEADER_BYTES - 1 - i)));
            }
            int length = deflater.deflate(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
            return Arrays.copyOf(bytes, HEADER_BYTES + length);
        } finally {
            deflater.end();
        }
    }

    /**
     * Reads a record.
     *
     * @throws UnreadableRecordException if it is damaged, or of a newer format
     */
    public static JournalRecord decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw UnreadableRecordException.damaged(bytes.length + " bytes");
        }
        int format = bytes[0] & 0xFF;
        if (format > DEFERRED_FORMAT) {
            throw UnreadableRecordException.newer(format);
        }
        long length = 0;
        for (int i = 1; i < HEADER_BYTES; i++) {
            length = (length << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        if (format < FORMAT || length > MAX_BODY_BYTES) {
            throw UnreadableRecordException.damaged("format " + format + " and a body of " + length + " bytes");
        }
        return RecordBody.read(inflated(bytes, (int) length), format == DEFERRED_FORMAT);
    }

    private static byte[] inflated(byte[] bytes, int length) {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
            // One byte more, so that a body that is longer than it says is noticed.
            byte[] body = new byte[length + 1];
            int inflated = 0;
            while (!inflater.finished() && inflated < body.length) {
                int some = inflater.inflate(body, inflated, body.length - inflated);
                if (some == 0 && !inflater.finished()) {
                    throw UnreadableRecordException.damaged("an early end");
                }
                inflated += some;
            }
            if (!inflater.finished() || inflated != length || inflater.getRemaining() != 0) {
                throw UnreadableRecordException.damaged("another length than it says");
            }
            return Arrays.copyOf(body, length);
        } catch (DataFormatException e) {
            throw UnreadableRecordException.damaged("what zlib cannot read");
        } finally {
            inflater.end();
        }
    }

    /** Maximum output of zlib for an input: 5 bytes for each stored block of 16,383, and some more. */
    private static int bound(int length) {
        return length + 5 * (length / 16_383 + 1) + 64;
    }
}
