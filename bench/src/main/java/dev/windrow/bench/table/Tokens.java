package dev.windrow.bench.table;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words and signs of an expression, one after the other. */
final class Tokens {

    private static final Pattern TOKEN = Pattern.compile("\\s*([#:\\w]+|[(),=<>])\\s*");
    private static final int MAX_FORMS = 1_000;

    private final String text;
    private final Deque<String> tokens = new ArrayDeque<>();

    Tokens(String text) {
        this.text = text;
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        for (; matcher.find(end) && matcher.start() == end; end = matcher.end()) {
            tokens.add(matcher.group(1));
        }
        if (end < text.length()) {
            throw unexpected(text.substring(end));
        }
    }

    /** What an expression means; callers send few forms many times. */
    static <T> T cached(Map<String, T> forms, String text, Function<Tokens, T> parse) {
        if (forms.size() > MAX_FORMS) {
            forms.clear();
        }
        return forms.computeIfAbsent(text, form -> {
            Tokens tokens = new Tokens(form);
            T meaning = parse.apply(tokens);
            if (!tokens.isEmpty()) {
                throw tokens.unexpected(tokens.next());
            }
            return meaning;
        });
    }

    boolean isEmpty() {
        return tokens.isEmpty();
    }

    String next() {
        if (tokens.isEmpty()) {
            throw unexpected("its end");
        }
        return tokens.remove();
    }

    /** Takes a token if it comes next. */
    boolean take(String token) {
        return token.equals(tokens.peek()) && token.equals(tokens.remove());
    }

    void expect(String... expected) {
        for (String token : expected) {
            if (!take(token)) {
                throw unexpected(String.valueOf(tokens.peek()));
            }
        }
    }

    IllegalArgumentException unexpected(String found) {
        return new IllegalArgumentException(
                "expression: expected a form that the writer sends, found " + found + " in " + text);
    }
}
