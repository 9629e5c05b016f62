package dev.windrow.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/**
 * A message's text as JSON, with the digest that clients check.
 *
 * @param json the text as a quoted JSON string
 * @param md5 MD5 of the text, hexadecimal
 */
public record QueuedBody(String json, String md5) {

    /** Encodes a text once for all messages that share it. */
    public static QueuedBody of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8));
            return new QueuedBody('"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"',
                    HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
