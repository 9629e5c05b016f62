package dev.windrow.base;

import java.util.ArrayList;
import java.util.List;

/**
 * Encodes a list of parts as one string and decodes it. The encoding is part of the storage format.
 * <ul>
 * <li><b>Injective</b>: different lists give different strings, whatever the parts contain; empty parts count.</li>
 * <li><b>Order-preserving</b>: strings sort in DynamoDB's order (unsigned UTF-8 bytes) as the lists do part by part; a proper
 * prefix sorts before the longer list.</li>
 * <li><b>Readable</b>: parts are joined by {@code #}; characters up to {@code $} (controls, space, {@code ! " # $}) are written
 * as {@code $} and the character 48 places higher, so {@code a#b} becomes {@code a$Sb}. All other text is unchanged.</li>
 * </ul>
 * Why the order is preserved: the separator is smaller than anything a part can contain, since every character up to the escape
 * is escaped and the escape is greater than the separator. Escaped characters keep their order and stay below all unescaped
 * ones.
 */
public final class KeyCodec {

    public static final char SEPARATOR = '#';

    private static final char ESCAPE = '$';
    private static final int SHIFT = 48;

    private KeyCodec() {
    }

    /** Encodes at least one part. */
    public static String encode(List<String> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a key needs at least one part");
        }
        StringBuilder key = new StringBuilder(64);
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                key.append(SEPARATOR);
            }
            append(key, parts.get(i));
        }
        return key.toString();
    }

    /** Appends one part, escaped. */
    public static void append(StringBuilder key, String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c <= ESCAPE) {
                key.append(ESCAPE).append((char) (c + SHIFT));
            } else {
                key.append(c);
            }
        }
    }

    /**
     * Decodes the output of {@link #encode}.
     *
     * @throws IllegalArgumentException if the string was not written by this codec
     */
    public static List<String> decode(String key) {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        for (int end = key.indexOf(SEPARATOR); end >= 0; end = key.indexOf(SEPARATOR, begin)) {
            parts.add(part(key, begin, end));
            begin = end + 1;
        }
        parts.add(part(key, begin, key.length()));
        return parts;
    }

    /** Most parts have no escapes and are simply substrings of the key. */
    private static String part(String key, int begin, int end) {
        for (int i = begin; i < end; i++) {
            if (key.charAt(i) <= ESCAPE) {
                return unescaped(key, begin, i, end);
            }
        }
        return key.substring(begin, end);
    }

    private static String unescaped(String key, int begin, int escaped, int end) {
        StringBuilder part = new StringBuilder(end - begin).append(key, begin, escaped);
        for (int i = escaped; i < end; i++) {
            char c = key.charAt(i);
            if (c == ESCAPE) {
                i++;
                part.append(unescaped(key, i));
            } else if (c < ESCAPE) {
                throw notAKey(key, i);
            } else {
                part.append(c);
            }
        }
        return part.toString();
    }

    private static char unescaped(String key, int index) {
        int c = index < key.length() ? key.charAt(index) - SHIFT : -1;
        if (c < 0 || c > ESCAPE) {
            throw notAKey(key, index);
        }
        return (char) c;
    }

    private static IllegalArgumentException notAKey(String key, int index) {
        return new IllegalArgumentException("not a composite key at character " + index + " of " + key.length());
    }

    /**
     * Returns the length of a key in UTF-8 bytes.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_TEXT} if a surrogate is unpaired: such text has no UTF-8 form,
     *         and replacing it could make two labels collide
     */
    public static int utf8Length(String field, String key) {
        int bytes = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < key.length() && Character.isLowSurrogate(key.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new InvalidInputException(Reason.INVALID_TEXT, field,
                        "expected well-formed Unicode, found an unpaired surrogate");
            }
        }
        return bytes;
    }

    /**
     * Returns the key if it fits.
     *
     * @param limit maximum number of UTF-8 bytes
     * @throws InvalidInputException with {@link Reason#KEY_TOO_LONG} or {@link Reason#INVALID_TEXT}
     */
    public static String requireFit(String field, String key, int limit) {
        int bytes = utf8Length(field, key);
        if (bytes > limit) {
            throw new InvalidInputException(Reason.KEY_TOO_LONG, field,
                    "expected a label whose key has at most " + limit + " bytes, found " + bytes);
        }
        return key;
    }
}
