package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words and signs of an expression, one after the other. */
final class Tokens {

    private static final Pattern TOKEN = Pattern.compile("\\s*([#:\\w]+|[(),=<>])\\s*");
    private static final int MAX_FORMS = 1_000;
    /** Callers send few forms many times. */
    private static final Map<String, List<String>> FORMS = new ConcurrentHashMap<>();

    private final String text;
    private final List<String> tokens;
    private int at;

    Tokens(String text) {
        this.text = text;
        if (FORMS.size() > MAX_FORMS) {
            FORMS.clear();
        }
        tokens = FORMS.computeIfAbsent(text, form -> split());
    }

    private List<String> split() {
        List<String> all = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        for (; matcher.find(end) && matcher.start() == end; end = matcher.end()) {
            all.add(matcher.group(1));
        }
        if (end < text.length()) {
            throw unexpected(text.substring(end));
        }
        return all;
    }

    boolean isEmpty() {
        return at == tokens.size();
    }

    String next() {
        if (isEmpty()) {
            throw unexpected("its end");
        }
        return tokens.get(at++);
    }

    /** Takes a token if it comes next. */
    boolean take(String token) {
        boolean found = !isEmpty() && tokens.get(at).equals(token);
        at += found ? 1 : 0;
        return found;
    }

    void expect(String token) {
        String found = next();
        if (!found.equals(token)) {
            throw unexpected(found);
        }
    }

    IllegalArgumentException unexpected(String found) {
        return new IllegalArgumentException(
                "expression: expected a form that the writer sends, found " + found + " in " + text);
    }
}
