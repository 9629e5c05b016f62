package dev.windrow.gather.promql;

/**
 * A token of a query.
 *
 * @param kind what it is
 * @param text its text; of a string, without quotes and escapes; of a range, what is between the brackets
 * @param position index of its first character in the query
 */
record Token(Kind kind, String text, int position) {

    enum Kind {
        IDENTIFIER,
        NUMBER,
        STRING,
        RANGE,
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** Whether it is a keyword, which may be written in any case. */
    boolean isKeyword(String word) {
        return kind == Kind.IDENTIFIER && text.equalsIgnoreCase(word);
    }
}
