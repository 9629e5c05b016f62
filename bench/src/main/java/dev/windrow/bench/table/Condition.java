package dev.windrow.bench.table;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** A condition in the forms that the writer sends. What an item lacks compares as false. */
@FunctionalInterface
interface Condition {

    Map<String, Condition> FORMS = new ConcurrentHashMap<>();

    boolean holds(JsonNode item, Update update);

    /** A value, or null if the item lacks it. */
    @FunctionalInterface
    interface Operand {
        @Nullable
        JsonNode of(JsonNode item, Update update);
    }

    /** @throws IllegalArgumentException if it has another form */
    static Condition parse(String text) {
        return text.isEmpty() ? (item, update) -> true : Tokens.cached(FORMS, text, Condition::or);
    }

    private static Condition or(Tokens tokens) {
        Condition left = and(tokens);
        if (!tokens.take("OR")) {
            return left;
        }
        Condition right = or(tokens);
        return (item, update) -> left.holds(item, update) || right.holds(item, update);
    }

    private static Condition and(Tokens tokens) {
        Condition left = term(tokens);
        if (!tokens.take("AND")) {
            return left;
        }
        Condition right = and(tokens);
        return (item, update) -> left.holds(item, update) && right.holds(item, update);
    }

    private static Condition term(Tokens tokens) {
        if (tokens.take("NOT")) {
            Condition negated = term(tokens);
            return (item, update) -> !negated.holds(item, update);
        }
        if (tokens.take("(")) {
            Condition inner = or(tokens);
            tokens.expect(")");
            return inner;
        }
        if (tokens.take("attribute_exists")) {
            Operand operand = argument(tokens);
            return (item, update) -> operand.of(item, update) != null;
        }
        if (tokens.take("attribute_not_exists")) {
            Operand operand = argument(tokens);
            return (item, update) -> operand.of(item, update) == null;
        }
        boolean contains = tokens.take("contains");
        if (contains) {
            tokens.expect("(");
        }
        Operand left = operand(tokens);
        String sign = tokens.next();
        Operand right = operand(tokens);
        if (contains) {
            tokens.expect(")");
        }
        return both(left, right, switch (contains ? "contains" + sign : sign) {
            case "<" -> (a, b) -> Values.compare(a, b) < 0;
            case ">" -> (a, b) -> Values.compare(a, b) > 0;
            case "=" -> (a, b) -> Values.compare(a, b) == 0;
            case "contains," -> Values::contains;
            default -> throw tokens.unexpected(sign);
        });
    }

    private static Condition both(Operand left, Operand right, BiPredicate<JsonNode, JsonNode> test) {
        return (item, update) -> {
            JsonNode a = left.of(item, update);
            JsonNode b = right.of(item, update);
            return a != null && b != null && test.test(a, b);
        };
    }

    private static Operand argument(Tokens tokens) {
        tokens.expect("(");
        Operand operand = operand(tokens);
        tokens.expect(")");
        return operand;
    }

    private static Operand operand(Tokens tokens) {
        if (tokens.take("size")) {
            Operand sized = argument(tokens);
            return (item, update) -> {
                JsonNode value = sized.of(item, update);
                return value == null ? null : Values.number(Values.size(value));
            };
        }
        String token = tokens.next();
        return token.startsWith(":") ? (item, update) -> update.value(token) : (item, update) -> item.get(update.name(token));
    }
}
