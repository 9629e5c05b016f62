package dev.windrow.gather.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a query into tokens. */
final class Lexer {

    private static final String BLANKS = " \t\n\u000b\f\r";
    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?");
    private static final Pattern RANGE = Pattern.compile("\\[([^\\]]*)\\]");
    private static final Pattern SYMBOL = Pattern.compile("=~|!~|!=|==|<=|>=|[-+*/%^(){},=<>@]");

    private final String query;
    private final List<Token> tokens = new ArrayList<>();
    private int position;

    private Lexer(String query) {
        this.query = query;
    }

    /** The tokens of a query; the last one is its end. */
    static List<Token> tokens(String query) {
        return new Lexer(query).tokens();
    }

    private List<Token> tokens() {
        skipBlanks();
        while (position < query.length()) {
            char next = query.charAt(position);
            if (next == '"' || next == '\'' || next == '`') {
                StringLiteral literal = StringLiteral.at(query, position);
                tokens.add(new Token(Token.Kind.STRING, literal.text(), position));
                position = literal.end();
            } else if (!isTaken(NUMBER, Token.Kind.NUMBER) && !isTaken(IDENTIFIER, Token.Kind.IDENTIFIER)
                    && !isTaken(RANGE, Token.Kind.RANGE) && !isTaken(SYMBOL, Token.Kind.SYMBOL)) {
                throw PromQl.malformed("an expression",
                        new Token(Token.Kind.SYMBOL, query.substring(position, query.offsetByCodePoints(position, 1)),
                                position));
            }
            skipBlanks();
        }
        tokens.add(new Token(Token.Kind.END, "", position));
        return tokens;
    }

    /** A loop, as a repeated group in a regular expression takes stack for each repetition. */
    private void skipBlanks() {
        boolean comment = false;
        while (position < query.length()) {
            char next = query.charAt(position);
            comment = next == '#' || (comment && next != '\n');
            if (!comment && BLANKS.indexOf(next) < 0) {
                return;
            }
            position++;
        }
    }

    private boolean isTaken(Pattern pattern, Token.Kind kind) {
        Matcher matcher = pattern.matcher(query).region(position, query.length());
        if (!matcher.lookingAt()) {
            return false;
        }
        tokens.add(new Token(kind, matcher.groupCount() > 0 ? matcher.group(1) : matcher.group(), position));
        position = matcher.end();
        return true;
    }
}
