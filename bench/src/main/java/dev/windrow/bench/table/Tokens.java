package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of an expression, read one by one. */
final class Tokens {

    private static final Pattern TOKEN = Pattern.compile("\\s*([#:]?[A-Za-z0-9_]+|<>|<=|>=|[=<>(),+-])");

    private final String expression;
    private final List<String> tokens = new ArrayList<>();
    private int next;

    Tokens(String expression) {
        this.expression = expression;
        Matcher matcher = TOKEN.matcher(expression);
        int end = 0;
        while (end < expression.length() && matcher.find(end) && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (!expression.substring(end).isBlank()) {
            throw Refusal.invalid("expression: this table knows only top-level attributes, stopped at '"
                    + expression.substring(end) + "' of '" + expression + "'");
        }
    }

    boolean hasNext() {
        return next < tokens.size();
    }

    String peek() {
        return hasNext() ? tokens.get(next) : "";
    }

    String take() {
        if (!hasNext()) {
            throw Refusal.invalid("expression ends too early: '" + expression + "'");
        }
        return tokens.get(next++);
    }

    /** Takes the next word if it is this one, in any case. */
    boolean takeIf(String word) {
        boolean is = peek().toUpperCase(Locale.ROOT).equals(word);
        next += is ? 1 : 0;
        return is;
    }

    void expect(String word) {
        if (!takeIf(word)) {
            throw unexpected("expected '" + word + "'");
        }
    }

    Refusal unexpected(String what) {
        return Refusal.invalid("expression '" + expression + "': " + what + ", found '" + peek() + "'");
    }
}
