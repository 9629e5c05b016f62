package dev.windrow.writer.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** How a message body holds its events. */
public enum BodyKind {

    /** One JSON object. */
    OBJECT,
    /** A JSON array of objects. */
    ARRAY,
    /** One JSON object per line; blank lines are skipped. */
    LINES;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHEST_BITS = ONES << 7;

    /**
     * Detects the kind of a body. If the first or the last line is a complete object, the body is lines, not one object
     * spread over several lines. Checking both copes with one damaged line.
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

    /** Returns the end of the line at a position: its line feed, or the end of the text. */
    static int lineEnd(byte[] body, int from) {
        int to = from;
        // Eight bytes at a time: a search byte by byte would take a fifth of the time of reading the line.
        while (to + Long.BYTES <= body.length) {
            long lineFeeds = (long) WORDS.get(body, to) ^ ONES * '\n';
            int before = Long.numberOfTrailingZeros((lineFeeds - ONES) & ~lineFeeds & HIGHEST_BITS) / Byte.SIZE;
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

    /**
     * Whether as many braces close as open; also true if a string is unterminated, as that hides braces. This does not
     * require JSON: if first and last line have, say, a bad number, the body is still lines, and the other lines count.
     */
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

    /** Returns the first position that is not whitespace, or the end of the span. */
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
