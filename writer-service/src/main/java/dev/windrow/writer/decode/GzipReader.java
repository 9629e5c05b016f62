package dev.windrow.writer.decode;

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads gzip (RFC 1952), which may consist of several members. The JDK's stream calls itself for each member that is empty,
 * so a small text with many of them overflows the stack. Not thread-safe.
 */
final class GzipReader implements AutoCloseable {

    /** Producers that append to a file make a member per write; each costs some work, however little it holds. */
    static final int MAX_MEMBERS = 1_000;

    private static final int MAGIC_1 = 0x1F;
    private static final int MAGIC_2 = 0x8B;
    private static final int DEFLATE = 8;
    private static final int FLAG_HEADER_CHECK = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    /** Time, extra flags and operating system. */
    private static final int UNUSED_BYTES = 6;
    private static final int SHORT_MASK = 0xFFFF;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private final byte[] packed;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 check = new CRC32();
    private int position;
    private int members;
    private boolean inMember;

    /** @param packed what is read, and must not change meanwhile */
    GzipReader(byte[] packed) {
        this.packed = packed;
    }

    /**
     * Reads some bytes.
     *
     * @param to not empty; filled from the index {@code from} on
     * @return how many were read, at least one; -1 at the end
     * @throws IOException if it is not gzip, or has too many members, or an empty one before another
     */
    int read(byte[] to, int from) throws IOException {
        while (inMember || nextMember()) {
            int read = inflate(to, from);
            if (read > 0) {
                return read;
            }
            endMember();
        }
        return -1;
    }

    /** Whether there is another member; anything else that follows one is ignored, as gzip does. */
    private boolean nextMember() throws IOException {
        if (members > 0 && !isMagic()) {
            return false;
        }
        if (members > 0 && inflater.getBytesWritten() == 0) {
            throw new IOException("expected no empty gzip member before another");
        }
        if (members == MAX_MEMBERS) {
            throw new IOException("expected at most " + MAX_MEMBERS + " gzip members");
        }
        members++;
        skipHeader();
        inflater.reset();
        inflater.setInput(packed, position, packed.length - position);
        check.reset();
        inMember = true;
        return true;
    }

    private boolean isMagic() {
        return packed.length - position >= 2 && (packed[position] & 0xFF) == MAGIC_1
                && (packed[position + 1] & 0xFF) == MAGIC_2;
    }

    private void skipHeader() throws IOException {
        int start = position;
        if (!isMagic()) {
            throw new IOException("expected gzip");
        }
        position += 2;
        if (next() != DEFLATE) {
            throw new IOException("expected gzip's method deflate");
        }
        int flags = next();
        skip(UNUSED_BYTES);
        if ((flags & FLAG_EXTRA) != 0) {
            skip(nextShort());
        }
        if ((flags & FLAG_NAME) != 0) {
            skipText();
        }
        if ((flags & FLAG_COMMENT) != 0) {
            skipText();
        }
        if ((flags & FLAG_HEADER_CHECK) != 0) {
            check.reset();
            check.update(packed, start, position - start);
            if (nextShort() != (check.getValue() & SHORT_MASK)) {
                throw new IOException("expected gzip, found a header with a wrong checksum");
            }
        }
    }

    /** How many bytes of the member were read; 0 at its end. */
    private int inflate(byte[] to, int from) throws IOException {
        int read;
        try {
            read = inflater.inflate(to, from, to.length - from);
        } catch (DataFormatException e) {
            throw new IOException("expected gzip: " + e.getMessage(), e);
        }
        if (read == 0 && !inflater.finished()) {
            throw cut();
        }
        check.update(to, from, read);
        return read;
    }

    private void endMember() throws IOException {
        position = packed.length - inflater.getRemaining();
        if (nextInt() != check.getValue() || nextInt() != (inflater.getBytesWritten() & INT_MASK)) {
            throw new IOException("expected gzip, found a wrong checksum or length");
        }
        inMember = false;
    }

    private int next() throws IOException {
        if (position == packed.length) {
            throw cut();
        }
        return packed[position++] & 0xFF;
    }

    private int nextShort() throws IOException {
        int low = next();
        return low | (next() << 8);
    }

    private long nextInt() throws IOException {
        long low = nextShort();
        return low | ((long) nextShort() << 16);
    }

    private void skip(int bytes) throws IOException {
        if (bytes > packed.length - position) {
            throw cut();
        }
        position += bytes;
    }

    private void skipText() throws IOException {
        while (next() != 0) {
            // Names and comments end in a zero.
        }
    }

    private static EOFException cut() {
        return new EOFException("expected gzip, found the end before a member's");
    }

    /** Releases native memory. */
    @Override
    public void close() {
        inflater.end();
    }
}
