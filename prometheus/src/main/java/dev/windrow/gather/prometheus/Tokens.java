package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

import dev.windrow.gather.prometheus.PromQl.Token;

/** The tokens of a query, read one after the other. */
final class Tokens {

    /** The letters of one-character escapes, and the characters that they stand for. */
    private static final String ESCAPES = "abfnrtv\\";
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

    private final String query;
    private final List<Token> all = new ArrayList<>();
    private int position;
    private int next;

    Tokens(String query) {
        this.query = query;
        Token token;
        do {
            token = token();
            if (token.kind() != Token.Kind.BLANK) {
                all.add(token);
            }
        } while (token.kind() != Token.Kind.END);
    }

    private Token token() {
        int begin = position;
        for (Token.Kind kind : Token.Kind.values()) {
            Matcher matcher = kind.form.matcher(query).region(begin, query.length());
            if (matcher.lookingAt()) {
                position = matcher.end();
                return new Token(kind, kind == Token.Kind.STRING ? string(begin) : matcher.group(matcher.groupCount()),
                        begin);
            }
        }
        throw PromQl.malformed("an expression",
                new Token(Token.Kind.SYMBOL, query.substring(begin, query.offsetByCodePoints(begin, 1)), begin));
    }

    /** Reads a string in double or single quotes, with Go's escapes, or raw in backticks. */
    private String string(int begin) {
        char quote = query.charAt(begin);
        StringBuilder text = new StringBuilder();
        while (position < query.length()) {
            char next = query.charAt(position++);
            if (next == quote) {
                return text.toString();
            }
            if (next != '\\' || quote == '`') {
                text.append(next);
            } else {
                unescape(quote, text);
            }
        }
        throw PromQl.invalid("expected a closing " + quote + " for the string that begins at character " + (begin + 1));
    }

    /** Appends the character of an escape. */
    private void unescape(char quote, StringBuilder text) {
        char escape = position < query.length() ? query.charAt(position) : 0;
        int simple = ESCAPES.indexOf(escape);
        if (simple >= 0 || escape == quote) {
            text.append(simple >= 0 ? ESCAPED.charAt(simple) : quote);
            position++;
            return;
        }
        int digits = switch (escape) {
            case 'x' -> 2;
            case 'u' -> 4;
            case 'U' -> 8;
            default -> throw badEscape();
        };
        position++;
        try {
            int codePoint = Integer.parseUnsignedInt(query, position, position + digits, 16);
            // Go allows bytes of UTF-8 beyond ASCII as \x; by themselves, they are not text.
            if (Character.isValidCodePoint(codePoint) && (digits > 2 || codePoint < 0x80)
                    && Character.getType(codePoint) != Character.SURROGATE) {
                text.appendCodePoint(codePoint);
                position += digits;
                return;
            }
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            // Rejected below.
        }
        throw badEscape();
    }

    private RuntimeException badEscape() {
        return PromQl.invalid("expected an escape such as \\\\, \\\" or \\n at character " + position);
    }

    Token peek() {
        return all.get(next);
    }

    Token peekSecond() {
        return all.get(Math.min(next + 1, all.size() - 1));
    }

    Token take() {
        Token token = all.get(next);
        next = Math.min(next + 1, all.size() - 1);
        return token;
    }

    boolean takeIf(String symbol) {
        boolean is = peek().is(symbol);
        if (is) {
            take();
        }
        return is;
    }

    void expect(String symbol) {
        if (!takeIf(symbol)) {
            throw PromQl.malformed("'" + symbol + "'", peek());
        }
    }

    String expect(Token.Kind kind, String expected) {
        if (peek().kind() != kind) {
            throw PromQl.malformed(expected, peek());
        }
        return take().text();
    }
}
