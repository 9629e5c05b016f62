package dev.windrow.writer.decode;

import java.io.EOFException;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.writer.decode.MemoryBudget.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message.MessageBody;

/**
 * Decompresses bodies with the message attribute {@code content-encoding: gzip}, which are in Base64 as SQS accepts text
 * only.
 */
public final class Decompression {

    /** Maximum size of a decompressed body; a hostile one of 1 MB could decompress to a gigabyte. */
    static final int MAX_BYTES = 16 * 1_024 * 1_024;

    private static final String ATTRIBUTE = "content-encoding";
    private static final int CHUNK = 64 * 1_024;

    private Decompression() {
    }

    /**
     * The text of a body.
     *
     * @param attributes published with it
     * @param allowance memory for the decompressed text
     * @throws IOException if it is not compressed as its attribute says, or too large when decompressed; the message says
     *         which
     * @throws InvalidInputException with {@link Reason#INVALID_TEXT} if it is not UTF-8 when decompressed
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    public static MessageBody text(MessageBody body, Map<String, String> attributes, MemoryBudget allowance)
            throws IOException {
        String encoding = encoding(attributes);
        if (encoding == null) {
            return body;
        }
        if (!encoding.equals("gzip") && !encoding.equals("gzip+base64")) {
            throw new IOException("expected content-encoding gzip, found " + abbreviated(encoding));
        }
        byte[] packed;
        try {
            packed = Base64.getMimeDecoder().decode(body.utf8());
        } catch (IllegalArgumentException e) {
            throw new IOException("expected Base64: " + e.getMessage(), e);
        }
        MessageBody text = MessageBody.ofUtf8(unpacked(packed, allowance));
        if (text == null) {
            // With replacement characters, labels that differ would become one.
            throw new InvalidInputException(Reason.INVALID_TEXT, "body", "expected UTF-8 when unpacked");
        }
        return text;
    }

    /**
     * Decompresses twice: the first pass measures the memory needed, since a growing buffer would need three times as much.
     */
    private static byte[] unpacked(byte[] packed, MemoryBudget allowance) throws IOException {
        int size = size(packed);
        allowance.take(size);
        byte[] text = new byte[size];
        try (GzipReader in = new GzipReader(packed)) {
            int position = 0;
            while (position < size) {
                position += in.read(text, position);
            }
        }
        return text;
    }

    private static int size(byte[] packed) throws IOException {
        byte[] chunk = new byte[CHUNK];
        int size = 0;
        try (GzipReader in = new GzipReader(packed)) {
            for (int read = in.read(chunk, 0); read >= 0; read = in.read(chunk, 0)) {
                size += read;
                if (size > MAX_BYTES) {
                    throw new IOException("expected at most " + MAX_BYTES + " bytes when unpacked");
                }
            }
        }
        return size;
    }

    private static @Nullable String encoding(Map<String, String> attributes) {
        return attributes.isEmpty() ? null : attributes.get(ATTRIBUTE);
    }

    private static String abbreviated(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    /**
     * Reads gzip (RFC 1952), which may consist of several members. The JDK's stream calls itself for each member that is empty,
     * so a small text with many of them overflows the stack. Not thread-safe.
     */
    static final class GzipReader implements AutoCloseable {

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
}
