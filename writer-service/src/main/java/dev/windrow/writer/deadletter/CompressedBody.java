package dev.windrow.writer.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/** A body as gzip in Base64, which SQS accepts whatever the text is; the writer decompresses it when it is replayed. */
final class CompressedBody {

    /** The message attribute that marks it. */
    static final String ATTRIBUTE = "content-encoding";

    /** Its value. */
    static final String GZIP = "gzip";

    private CompressedBody() {
    }

    static String of(String body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }
}
