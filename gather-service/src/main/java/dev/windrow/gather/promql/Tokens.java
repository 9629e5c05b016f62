package dev.windrow.gather.promql;

import java.util.List;

/** The tokens of a query, read one after the other. */
final class Tokens {

    private final List<Token> all;
    private int next;

    Tokens(String query) {
        this.all = Lexer.tokens(query);
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
