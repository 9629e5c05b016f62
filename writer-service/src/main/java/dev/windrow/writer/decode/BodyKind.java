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
     * Recognises a body by its looks. Lines are told from one object that is spread over several lines by the first or
     * the last line being an object of its own; if either is damaged, the other still tells.
     */
    static BodyKind of(String body) {
        int from = skipBlank(body, 0);
        if (from < body.length() && body.charAt(from) == '[') {
            return ARRAY;
        }
        int to = body.length();
        while (to > from && isBlank(body.charAt(to - 1))) {
            to--;
        }
        int firstEnd = body.indexOf('\n', from);
        if (firstEnd < 0 || firstEnd >= to) {
            return OBJECT;
        }
        int lastStart = skipBlank(body, body.lastIndexOf('\n', to - 1) + 1);
        return isObject(body, from, firstEnd) || isObject(body, lastStart, to) ? LINES : OBJECT;
    }

    private static boolean isObject(String body, int from, int to) {
        int end = to;
        while (end > from && isBlank(body.charAt(end - 1))) {
            end--;
        }
        return end - from > 1 && body.charAt(from) == '{' && body.charAt(end - 1) == '}';
    }

    private static int skipBlank(String body, int from) {
        int at = from;
        while (at < body.length() && isBlank(body.charAt(at))) {
            at++;
        }
        return at;
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
