package dev.windrow.gather.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/**
 * Checks request targets (RFC 9112, section 3.2). A path that different readers may decode or normalize differently is
 * rejected, never repaired: whoever checks a path must see the path that is served. Text must be UTF-8, as a label that was
 * replaced by question marks would be another label.
 */
final class RequestTarget {

    /** What a URI may have besides letters and digits (RFC 3986); square brackets are common in queries. */
    private static final String PUNCTUATION = "-._~:/?[]@!$&'()*+,=;%";

    /** What a path must not hide behind percent-encoding. */
    private static final String NEVER_ENCODED_IN_PATHS = "./\\;%";

    private RequestTarget() {
    }

    /**
     * What is wrong with a target.
     *
     * @param uri the whole target as sent
     * @param path its path as sent
     * @return an expectation for the client, or empty if the target is good
     */
    static Optional<String> fault(String uri, String path) {
        return characters(uri).or(() -> segments(path)).or(() -> text(uri));
    }

    private static Optional<String> characters(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (!isLetterOrDigit(c) && PUNCTUATION.indexOf(c) < 0) {
                return Optional.of("expected every character but letters, digits and " + PUNCTUATION
                        + " percent-encoded, found U+%04X at index %d".formatted((int) c, i));
            }
            if (c == '%' && (i + 2 >= uri.length() || !isHexDigit(uri.charAt(i + 1)) || !isHexDigit(uri.charAt(i + 2)))) {
                return Optional.of("expected two hexadecimal digits after each %, found none at index " + i);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> segments(String path) {
        String closed = path.endsWith("/") ? path : path + "/";
        if (!path.startsWith("/") || closed.contains("//") || closed.contains("/./") || closed.contains("/../")) {
            return Optional.of("expected a path without empty, '.' or '..' segments");
        }
        if (path.indexOf(';') >= 0) {
            return Optional.of("expected a path without ';'");
        }
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
            int decoded = decoded(path, i);
            if ((decoded < 0x80 && Character.isISOControl(decoded)) || NEVER_ENCODED_IN_PATHS.indexOf(decoded) >= 0) {
                return Optional.of("expected a path without " + path.substring(i, i + 3));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> text(String uri) {
        if (uri.indexOf('%') < 0) {
            return Optional.empty();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(uri.length());
        for (int i = 0; i < uri.length(); i++) {
            boolean encoded = uri.charAt(i) == '%';
            bytes.write(encoded ? decoded(uri, i) : uri.charAt(i));
            i += encoded ? 2 : 0;
        }
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.of("expected percent-encoded UTF-8");
        }
    }

    private static int decoded(String text, int percent) {
        return Integer.parseInt(text, percent + 1, percent + 3, 16);
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isHexDigit(char c) {
        return Character.digit(c, 16) >= 0 && ISO_8859_1.newEncoder().canEncode(c);
    }
}
