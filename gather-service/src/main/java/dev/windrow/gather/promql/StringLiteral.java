package dev.windrow.gather.promql;

/**
 * A string of a query: in double or single quotes, with the escapes of Go, or raw in backticks.
 *
 * @param text what it says
 * @param end index of the character after it
 */
record StringLiteral(String text, int end) {

    /** @param begin index of the opening quote */
    static StringLiteral at(String query, int begin) {
        char quote = query.charAt(begin);
        StringBuilder text = new StringBuilder();
        for (int i = begin + 1; i < query.length(); i++) {
            char next = query.charAt(i);
            if (next == quote) {
                return new StringLiteral(text.toString(), i + 1);
            }
            if (next != '\\' || quote == '`') {
                text.append(next);
            } else {
                i = unescape(query, i + 1, quote, text);
            }
        }
        throw PromQl.invalid("expected a closing " + quote + " for the string that begins at character " + (begin + 1));
    }

    /** Appends the character of an escape, and returns the index of the escape's last character. */
    private static int unescape(String query, int at, char quote, StringBuilder text) {
        char escape = at < query.length() ? query.charAt(at) : 0;
        switch (escape) {
            case 'a' -> text.append('\u0007');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'v' -> text.append('\u000b');
            case '\\' -> text.append('\\');
            case 'x' -> {
                return codePoint(query, at + 1, 2, text);
            }
            case 'u' -> {
                return codePoint(query, at + 1, 4, text);
            }
            case 'U' -> {
                return codePoint(query, at + 1, 8, text);
            }
            default -> {
                if (escape != quote) {
                    throw badEscape(at);
                }
                text.append(quote);
            }
        }
        return at;
    }

    private static int codePoint(String query, int at, int digits, StringBuilder text) {
        try {
            // Bytes of UTF-8 beyond ASCII, as \x allows them in Go, make no text of their own.
            int codePoint = Integer.parseUnsignedInt(query, at, Math.min(at + digits, query.length()), 16);
            boolean isText = Character.isValidCodePoint(codePoint) && (digits > 2 || codePoint < 0x80)
                    && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
            if (isText && at + digits <= query.length()) {
                text.appendCodePoint(codePoint);
                return at + digits - 1;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw badEscape(at);
    }

    private static RuntimeException badEscape(int at) {
        return PromQl.invalid("expected an escape such as \\\\, \\\" or \\n at character " + at);
    }
}
