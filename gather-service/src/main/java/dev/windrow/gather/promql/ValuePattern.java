package dev.windrow.gather.promql;

/**
 * One of the values that a matcher takes: a value, or all values with a prefix.
 *
 * @param text the value, or the prefix
 * @param rest what may follow
 */
public record ValuePattern(String text, Rest rest) {

    /** What may follow the text. */
    public enum Rest {
        /** Nothing: the text is the whole value. */
        NOTHING,
        /** Anything: {@code .*} */
        ANYTHING,
        /** Something: {@code .+} */
        SOMETHING
    }

    boolean matches(String value) {
        return switch (rest) {
            case NOTHING -> value.equals(text);
            case ANYTHING -> value.startsWith(text);
            case SOMETHING -> value.startsWith(text) && value.length() > text.length();
        };
    }
}
