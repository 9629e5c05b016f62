package dev.windrow.base;

import org.jspecify.annotations.Nullable;

/**
 * Makes input safe for a log or an error message: one printable line of bounded length. Everything from a message, a request or
 * another service passes through here, since a line break in it could forge a log line.
 */
public final class Sanitized {

    private static final int MAX_QUOTED = 60;
    private static final int MAX_LINE = 1_000;

    private Sanitized() {
    }

    /** Returns a value in single quotes: at most 60 characters, followed by the full length if it was cut. */
    public static String of(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= MAX_QUOTED
                ? "'" + printable(text, text.length()) + "'"
                : "'" + printable(text, MAX_QUOTED) + "…' (" + text.length() + " characters)";
    }

    /** Returns a message that may contain input, cut to 1,000 characters. */
    public static String line(@Nullable Object message) {
        return line(message, MAX_LINE);
    }

    /** Returns a message that may contain input, cut to a maximum number of characters. */
    public static String line(@Nullable Object message, int maxLength) {
        String text = String.valueOf(message);
        return text.length() <= maxLength ? printable(text, text.length()) : printable(text, maxLength) + "…";
    }

    private static String printable(String text, int length) {
        StringBuilder printable = null;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (isPrintable(text, i)) {
                if (printable != null) {
                    printable.append(c);
                }
            } else {
                if (printable == null) {
                    printable = new StringBuilder(length + 16).append(text, 0, i);
                }
                printable.append(switch (c) {
                    case '\n' -> "\\n";
                    case '\r' -> "\\r";
                    case '\t' -> "\\t";
                    default -> "\\u%04x".formatted((int) c);
                });
            }
        }
        return printable == null ? text.substring(0, length) : printable.toString();
    }

    /** False for control and format characters (such as bidi controls), line and paragraph separators, and lone surrogates. */
    private static boolean isPrintable(String text, int index) {
        char c = text.charAt(index);
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SURROGATE -> Character.isHighSurrogate(c)
                    ? index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1))
                    : index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
            default -> true;
        };
    }
}
