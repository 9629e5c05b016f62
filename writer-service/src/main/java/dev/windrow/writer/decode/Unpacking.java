package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.message.Body;
import dev.windrow.writer.message.Message;

/** Unpacks bodies that a message attribute says are packed: {@code content-encoding: gzip}, in Base64 as SQS takes text. */
final class Unpacking {

    private static final String ATTRIBUTE = "content-encoding";
    /** Largest text that a body may unpack to; a hostile one of 1 MB could unpack to a gigabyte. */
    private static final int LARGEST = 16 * 1_024 * 1_024;

    private Unpacking() {
    }

    /**
     * The text of a body.
     *
     * @throws IOException if it is not packed as its attribute says, or unpacks to too much; the message says so
     */
    static Body text(Message message) throws IOException {
        String encoding = encoding(message.attributes());
        if (encoding == null) {
            return message.body();
        }
        if (!encoding.equals("gzip") && !encoding.equals("gzip+base64")) {
            throw new IOException("expected content-encoding gzip, found " + encoding);
        }
        byte[] packed;
        try {
            packed = Base64.getMimeDecoder().decode(message.body().utf8());
        } catch (IllegalArgumentException e) {
            throw new IOException("expected Base64: " + e.getMessage(), e);
        }
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] text = unpacked.readNBytes(LARGEST + 1);
            if (text.length > LARGEST) {
                throw new IOException("expected at most " + LARGEST + " bytes when unpacked");
            }
            // Not as it is: it may be no UTF-8.
            return Body.of(new String(text, UTF_8));
        }
    }

    private static @Nullable String encoding(Map<String, String> attributes) {
        return attributes.isEmpty() ? null : attributes.get(ATTRIBUTE);
    }
}
