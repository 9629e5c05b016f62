package dev.windrow.writer.json;

import java.math.BigDecimal;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Scans the most common JSON tokens in place: whitespace, strings without escapes, short numbers. It gives up at anything
 * else, which is no error: the general reader takes over.
 */
public final class FastJsonScanner {

    private static final int USUAL_BYTES = 1_024;
    /** Digits of a number that surely fit into a long. */
    private static final int FEW_DIGITS = 18;
    private static final int TEN = 10;

    /** What single characters after a backslash stand for; 0 if there is no such escape. */
    private static final byte[] ESCAPED = new byte[1 << Byte.SIZE];

    static {
        String escapes = "\"\"\\\\//b\bf\fn\nr\rt\t";
        for (int i = 0; i < escapes.length(); i += 2) {
            ESCAPED[escapes.charAt(i)] = (byte) escapes.charAt(i + 1);
        }
    }

    private final byte[] text;
    private byte[] unescaped = {};
    private int end;
    private int at;
    private boolean sure = true;
    private int from;
    private long hash;

    /**
     * @param text well-formed UTF-8
     * @param start where in it to start
     */
    public FastJsonScanner(byte[] text, int start) {
        this.text = text;
        this.at = start;
        this.end = text.length;
    }

    /** Restricts the scan to one line. */
    public void narrow(int lineFrom, int lineTo) {
        at = lineFrom;
        end = lineTo;
    }

    /** Whether all was understood so far. */
    public boolean isSure() {
        return sure;
    }

    public void giveUp() {
        sure = false;
    }

    /** The byte that comes next. */
    public int position() {
        return at;
    }

    /** Whether only whitespace is left. */
    public boolean isAtEnd() {
        peek();
        return at >= end;
    }

    /** The next character that is not whitespace; 0 at the end. */
    public byte peek() {
        while (at < end && isBlank(text[at])) {
            at++;
        }
        return at < end ? text[at] : 0;
    }

    /** Skips a character that must come next. */
    public void pass(char c) {
        if (peek() == c && at < end) {
            at++;
        } else {
            sure = false;
        }
    }

    /** Skips a character if it comes next. */
    public boolean passed(char c) {
        if (peek() != c || at >= end) {
            return false;
        }
        at++;
        return true;
    }

    /**
     * Skips a string; {@link #from} and {@link #to} are then the limits of its characters, and {@link #hash} is their hash.
     */
    public void passText() {
        pass('"');
        from = at;
        hash = 0;
        while (at + Long.BYTES <= end) {
            long word = Swar.at(text, at);
            int plain = Swar.plainBytes(word);
            if (plain < Long.BYTES) {
                hash = Swar.hash(hash, word & Swar.lowest(plain));
                at += plain;
                endText();
                return;
            }
            hash = Swar.hash(hash, word);
            at += Long.BYTES;
        }
        long word = 0;
        int plain = 0;
        while (at < end && text[at] != '"' && text[at] != '\\' && (text[at] >= ' ' || text[at] < 0)) {
            word |= (text[at] & 0xFFL) << (plain * Byte.SIZE);
            plain++;
            at++;
        }
        hash = Swar.hash(hash, word);
        endText();
    }

    private void endText() {
        if (at >= end || text[at] != '"') {
            sure = false;
        } else {
            at++;
        }
    }

    /**
     * Reads a string in which single characters may be escaped, such as quotes.
     *
     * @return its bytes, unescaped; null if it is not understood
     */
    public byte @Nullable [] unescaped() {
        pass('"');
        int length = 0;
        boolean escaped = false;
        while (at < end) {
            if (length + Long.BYTES > unescaped.length) {
                unescaped = Arrays.copyOf(unescaped, Math.max(USUAL_BYTES, 2 * unescaped.length));
            }
            if (at + Long.BYTES <= end) {
                long word = Swar.at(text, at);
                long backslashes = Swar.matches(word, '\\');
                if (!Swar.hasControls(word) && Swar.matches(word, '"') == Swar.next(backslashes, escaped)) {
                    // Just quotes are escaped, and all are: the end is not among these bytes.
                    Swar.put(unescaped, length, Swar.without(word, backslashes));
                    length += Long.BYTES - Long.bitCount(backslashes);
                    at += Long.BYTES;
                    escaped = backslashes < 0;
                    continue;
                }
            }
            byte next = text[at++];
            if (escaped) {
                next = ESCAPED[next & 0xFF];
                escaped = false;
                if (next == 0) {
                    break;
                }
            } else if (next == '"') {
                return Arrays.copyOf(unescaped, length);
            } else if (next == '\\') {
                escaped = true;
                continue;
            } else if (next >= 0 && next < ' ') {
                break;
            }
            unescaped[length++] = next;
        }
        sure = false;
        return null;
    }

    /** Skips a field's name and its colon if they come next. */
    public boolean passed(FieldName field) {
        peek();
        if (!field.isAt(text, at, end)) {
            return false;
        }
        at += field.length();
        return true;
    }

    public int from() {
        return from;
    }

    public int to() {
        return at - 1;
    }

    public long hash() {
        return hash;
    }

    /** Skips a word such as {@code true}; returns whether it came next. */
    public boolean passedWord(byte[] word) {
        peek();
        if (end - at < word.length || !Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
            return false;
        }
        at += word.length;
        return true;
    }

    /** A number. */
    public BigDecimal number() {
        boolean negative = passed('-');
        int first = at;
        long digits = 0;
        int point = -1;
        while (at < end && (isDigit(text[at]) || (text[at] == '.' && point < 0))) {
            if (text[at] == '.') {
                point = at;
            } else {
                digits = TEN * digits + text[at] - '0';
            }
            at++;
        }
        int length = at - first - (point < 0 ? 0 : 1);
        int whole = (point < 0 ? at : point) - first;
        boolean plain = whole > 0 && length <= FEW_DIGITS && (text[first] != '0' || whole == 1) && point != at - 1;
        // What follows must end the number: an exponent, say, does not.
        boolean ends = at < end && (text[at] == ',' || text[at] == '}' || isBlank(text[at]));
        if (!plain || !ends) {
            sure = false;
            return BigDecimal.ZERO;
        }
        return BigDecimal.valueOf(negative ? -digits : digits, point < 0 ? 0 : at - 1 - point);
    }

    /** Whether a character, or a byte of UTF-8, is JSON whitespace. */
    public static boolean isBlank(int c) {
        return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
