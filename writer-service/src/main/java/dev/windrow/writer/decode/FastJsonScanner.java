package dev.windrow.writer.decode;

import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Scans the most common JSON tokens in place: whitespace, strings without escapes, short numbers. It gives up at anything
 * else, which is no error: the general reader takes over.
 */
final class FastJsonScanner {

    /** Digits of a number that surely fit into a long. */
    private static final int FEW_DIGITS = 18;
    private static final int TEN = 10;

    private final byte[] text;
    private int end;
    private int at;
    private boolean sure = true;
    private int from;
    private long hash;

    /**
     * @param text well-formed UTF-8
     * @param start where in it to start
     */
    FastJsonScanner(byte[] text, int start) {
        this.text = text;
        this.at = start;
        this.end = text.length;
    }

    /** Restricts the scan to one line. */
    void narrow(int lineFrom, int lineTo) {
        at = lineFrom;
        end = lineTo;
    }

    /** Whether all was understood so far. */
    boolean isSure() {
        return sure;
    }

    void giveUp() {
        sure = false;
    }

    /** The byte that comes next. */
    int position() {
        return at;
    }

    /** Whether only whitespace is left. */
    boolean isAtEnd() {
        skipBlank();
        return at >= end;
    }

    /** The next character that is not whitespace; 0 at the end. */
    byte peek() {
        skipBlank();
        return at < end ? text[at] : 0;
    }

    /** Skips whitespace, of which there is hardly any: its loop is kept out of what runs for each token. */
    void skipBlank() {
        if (at < end && BodyKind.isBlank(text[at])) {
            skipAllBlank();
        }
    }

    private void skipAllBlank() {
        do {
            at++;
        } while (at < end && BodyKind.isBlank(text[at]));
    }

    /** Skips a character that must come next. */
    void pass(char c) {
        if (!passed(c)) {
            sure = false;
        }
    }

    /** Skips a character if it comes next. */
    boolean passed(char c) {
        skipBlank();
        return passedAtOnce(c);
    }

    /** Skips a character if it comes next, with no whitespace before it. */
    boolean passedAtOnce(char c) {
        if (at >= end || text[at] != c) {
            return false;
        }
        at++;
        return true;
    }

    /** Skips a comma, or else the end of an object or array, which must come next; returns whether it was a comma. */
    boolean passedComma(char close) {
        if (passed(',')) {
            return true;
        }
        if (!passedAtOnce(close)) {
            sure = false;
        }
        return false;
    }

    /**
     * Skips a string; {@link #from} and {@link #to} are then the limits of its characters, and {@link #hash} is their hash.
     */
    void passText() {
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
     * Skips a field's name if it comes next, with no whitespace before it and its colon right behind it; false is no proof
     * that another name comes.
     */
    boolean passed(FieldName field) {
        if (!field.isAt(text, at, end)) {
            return false;
        }
        at += field.length();
        return true;
    }

    int from() {
        return from;
    }

    int to() {
        return at - 1;
    }

    long hash() {
        return hash;
    }

    /** Skips a word such as {@code true} if it comes next, with no whitespace before it. */
    boolean passedWord(byte[] word) {
        if (end - at < word.length || !Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
            return false;
        }
        at += word.length;
        return true;
    }

    /** A number, with no whitespace before it. */
    BigDecimal number() {
        boolean negative = passedAtOnce('-');
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
        boolean ends = at < end && (text[at] == ',' || text[at] == '}' || BodyKind.isBlank(text[at]));
        if (!plain || !ends) {
            sure = false;
            return BigDecimal.ZERO;
        }
        return digits == 0 ? BigDecimal.ZERO
                : BigDecimal.valueOf(negative ? -digits : digits, point < 0 ? 0 : at - 1 - point);
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
