package dev.windrow.writer.decode;

import java.util.Locale;

/** How a message body holds its events. */
public enum BodyKind {

    /** One JSON object. */
    OBJECT,
    /** A JSON array of objects. */
    ARRAY,
    /** One JSON object per line; blank lines do not count. */
    LINES;

    /** The name in metrics. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Detects the kind of a body. If the first or the last line is a complete object, the body is lines, not one object
     * spread over several lines; if either is damaged, the other decides.
     *
     * @param start where the text begins
     */
    static BodyKind of(byte[] body, int start) {
        int from = skipBlank(body, start, body.length);
        if (from < body.length && body[from] == '[') {
            return ARRAY;
        }
        int to = body.length;
        while (to > from && isBlank(body[to - 1])) {
            to--;
        }
        int firstEnd = lineEnd(body, from);
        if (firstEnd >= to) {
            return OBJECT;
        }
        int last = to;
        while (body[last - 1] != '\n') {
            last--;
        }
        return isObject(body, from, firstEnd) || isObject(body, skipBlank(body, last, to), to) ? LINES : OBJECT;
    }

    /** Where the line ends that a position is in: at its line feed, or at the end of the text. */
    static int lineEnd(byte[] body, int from) {
        int to = from;
        while (to + Long.BYTES <= body.length) {
            int before = Swar.bytesBeforeLineFeed(Swar.at(body, to));
            if (before < Long.BYTES) {
                return to + before;
            }
            to += Long.BYTES;
        }
        while (to < body.length && body[to] != '\n') {
            to++;
        }
        return to;
    }

    private static boolean isObject(byte[] body, int from, int to) {
        int end = to;
        while (end > from && isBlank(body[end - 1])) {
            end--;
        }
        return end - from > 1 && body[from] == '{' && body[end - 1] == '}' && isBalanced(body, from, end);
    }

    /** Whether as many braces close as open, which is not known where a text does not end. */
    private static boolean isBalanced(byte[] body, int from, int to) {
        int depth = 0;
        boolean inText = false;
        for (int i = from; i < to; i++) {
            if (inText && body[i] == '\\') {
                i++;
            } else if (body[i] == '"') {
                inText = !inText;
            } else if (!inText) {
                depth += body[i] == '{' ? 1 : body[i] == '}' ? -1 : 0;
            }
        }
        return inText || depth == 0;
    }

    /** The first position that is no whitespace, or else the end of the span. */
    static int skipBlank(byte[] body, int from, int to) {
        int at = from;
        while (at < to && isBlank(body[at])) {
            at++;
        }
        return at;
    }

    /** Whether a character, or a byte of UTF-8, is JSON whitespace. */
    static boolean isBlank(int c) {
        return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    }
}
