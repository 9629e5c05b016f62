package dev.windrow.bench.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An update request for one item. Only the expressions that the writer sends are supported; applying any other throws an
 * {@link IllegalArgumentException}.
 *
 * @param change the update expression: SET (also with if_not_exists), REMOVE, ADD
 * @param condition the condition expression, empty if there is none; comparisons with a missing attribute are false
 * @param names attribute names for the {@code #} placeholders of both expressions
 * @param values values for the {@code :} placeholders of both expressions
 */
public record Update(ItemKey key, String change, String condition, JsonNode names, JsonNode values) {

    void apply(ObjectNode item) {
        Tokens tokens = new Tokens(change);
        while (!tokens.isEmpty()) {
            String clause = tokens.next();
            do {
                apply(clause, tokens, item);
            } while (tokens.take(","));
        }
    }

    private void apply(String clause, Tokens tokens, ObjectNode item) {
        String token = tokens.next();
        String name = name(token);
        if (clause.equals("REMOVE")) {
            item.remove(name);
        } else if (clause.equals("ADD")) {
            JsonNode more = found(values, tokens.next());
            item.set(name, item.has(name) ? Values.plus(item.get(name), more) : more);
        } else if (clause.equals("SET") && tokens.take("=")) {
            if (tokens.take("if_not_exists")) {
                tokens.expect("(");
                tokens.expect(token);
                tokens.expect(",");
                item.putIfAbsent(name, found(values, tokens.next()));
                tokens.expect(")");
            } else {
                item.set(name, found(values, tokens.next()));
            }
        } else {
            throw tokens.unexpected(clause);
        }
    }

    /** Whether the condition holds for the item before the change. */
    boolean holds(JsonNode item) {
        Tokens tokens = new Tokens(condition);
        boolean holds = tokens.isEmpty() || or(tokens, item);
        if (!tokens.isEmpty()) {
            throw tokens.unexpected(tokens.next());
        }
        return holds;
    }

    // Evaluates both sides without short-circuiting, as the tokens of the second must be consumed anyway.
    private boolean or(Tokens tokens, JsonNode item) {
        boolean left = and(tokens, item);
        return tokens.take("OR") ? or(tokens, item) | left : left;
    }

    private boolean and(Tokens tokens, JsonNode item) {
        boolean left = term(tokens, item);
        return tokens.take("AND") ? and(tokens, item) & left : left;
    }

    private boolean term(Tokens tokens, JsonNode item) {
        if (tokens.take("NOT")) {
            return !term(tokens, item);
        }
        if (tokens.take("(")) {
            boolean inner = or(tokens, item);
            tokens.expect(")");
            return inner;
        }
        if (tokens.take("attribute_exists")) {
            return argument(tokens, item) != null;
        }
        if (tokens.take("attribute_not_exists")) {
            return argument(tokens, item) == null;
        }
        String function = tokens.take("contains") ? "contains" : tokens.take("attribute_type") ? "attribute_type" : "";
        if (!function.isEmpty()) {
            tokens.expect("(");
        }
        JsonNode left = operand(tokens, item);
        String sign = tokens.next();
        JsonNode right = operand(tokens, item);
        if (!function.isEmpty()) {
            tokens.expect(")");
        }
        return switch (function + sign) {
            case "<" -> left != null && right != null && Values.compare(left, right) < 0;
            case ">" -> left != null && right != null && Values.compare(left, right) > 0;
            case "=" -> left != null && right != null && Values.compare(left, right) == 0;
            case "attribute_type," -> left != null && right != null && left.has(right.path("S").asText());
            case "contains," -> left != null && right != null && Values.contains(left, right);
            default -> throw tokens.unexpected(sign);
        };
    }

    private @Nullable JsonNode argument(Tokens tokens, JsonNode item) {
        tokens.expect("(");
        JsonNode operand = operand(tokens, item);
        tokens.expect(")");
        return operand;
    }

    /** Reads an operand; returns its value, or null if the item lacks it. */
    private @Nullable JsonNode operand(Tokens tokens, JsonNode item) {
        if (tokens.take("size")) {
            JsonNode sized = argument(tokens, item);
            return sized == null ? null : Values.number(Values.size(sized));
        }
        String token = tokens.next();
        return token.startsWith(":") ? found(values, token) : item.get(name(token));
    }

    private String name(String token) {
        return token.startsWith("#") ? found(names, token).asText() : token;
    }

    private static JsonNode found(JsonNode bound, String token) {
        if (!bound.has(token)) {
            throw new IllegalArgumentException("expression: expected that " + token + " is defined");
        }
        return bound.get(token);
    }

    /** The tokens of an expression, read one by one. */
    private static final class Tokens {

        private static final Pattern TOKEN = Pattern.compile("\\s*([#:\\w]+|[(),=<>])\\s*");
        private static final int MAX_FORMS = 1_000;
        /** Cache of tokens by expression, as callers send few expressions many times. */
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

        /** Consumes this token if it is next; returns whether it was. */
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
}
