package dev.windrow.writer.decode;

import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Map;

import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/**
 * Decompresses bodies with the message attribute {@code content-encoding: gzip}. They are Base64, as SQS accepts only text.
 */
public final class Decompression {

    /** Maximum size of a decompressed body: a hostile body of 1 MB could decompress to a gigabyte. */
    static final int MAX_BYTES = 16 * 1_024 * 1_024;

    /** The message attribute of compressed bodies. */
    public static final String ATTRIBUTE = "content-encoding";

    private static final int CHUNK = 64 * 1_024;

    /** Heap bytes that a parser takes per byte of the largest value. */
    private static final long PARSER_PER_BYTE = 2;

    private Decompression() {
    }

    /**
     * Returns the text of a body, decompressed if necessary.
     *
     * @param attributes message attributes published with the body
     * @param allowance memory for the decompressed text
     * @throws IOException if it is not compressed as its attribute says, or too large when decompressed; the message says which
     * @throws InvalidInputException with {@link Reason#INVALID_TEXT} if it is not UTF-8 when decompressed
     * @throws MemoryBudgetExceededException if there is not enough memory now
     */
    public static MessageBody text(MessageBody body, Map<String, String> attributes, MemoryBudget allowance)
            throws IOException {
        String encoding = attributes.get(ATTRIBUTE);
        if (encoding == null) {
            return body;
        }
        if (!encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("gzip+base64")) {
            throw new IOException("expected content-encoding gzip, found " + Sanitized.line(encoding, 40));
        }
        byte[] packed;
        // The decoder's buffer is as large as the text, and so is the result at most.
        allowance.take(2L * body.length());
        try {
            packed = Base64.getMimeDecoder().decode(body.utf8());
        } catch (IllegalArgumentException e) {
            throw new IOException("not valid Base64: " + e.getMessage(), e);
        }
        MessageBody text = MessageBody.ofUtf8(unpacked(packed, allowance));
        if (text == null) {
            // Replacement characters would merge different labels into one.
            throw new InvalidInputException(Reason.INVALID_TEXT, "body", "not valid UTF-8 after decompression");
        }
        return text;
    }

    /** Decompresses twice: the first pass measures the size, as a growing buffer would need three times the memory. */
    private static byte[] unpacked(byte[] packed, MemoryBudget allowance) throws IOException {
        byte[] chunk = new byte[CHUNK];
        int size = 0;
        try (InputStream gzip = gzip(packed)) {
            for (int read = gzip.read(chunk); read >= 0; read = gzip.read(chunk)) {
                size += read;
                if (size > MAX_BYTES) {
                    throw new IOException("more than " + MAX_BYTES + " bytes after decompression");
                }
            }
        }
        allowance.take(size + PARSER_PER_BYTE * Math.min(size, MessageBody.MAX_VALUE));
        byte[] text = new byte[size];
        try (InputStream gzip = gzip(packed)) {
            gzip.readNBytes(text, 0, size);
        }
        return text;
    }

    /** Gzip data may have several members (RFC 1952): producers that append to a file add one per write. */
    private static InputStream gzip(byte[] packed) throws IOException {
        return GzipCompressorInputStream.builder().setByteArray(packed).setDecompressConcatenated(true).get();
    }

    /** Normalizes an attribute name: producers spell the encoding's name like the HTTP header, which ignores case. */
    static String attributeName(String spelled) {
        return spelled.equalsIgnoreCase(ATTRIBUTE) ? ATTRIBUTE : spelled;
    }
}
