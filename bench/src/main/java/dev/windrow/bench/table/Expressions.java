package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads expressions. Known: SET (with if_not_exists, + and -), ADD, REMOVE; AND, OR, NOT, comparisons, BETWEEN,
 * attribute_exists, attribute_not_exists, contains, begins_with. Anything else is refused. Remembers the last ones read,
 * as callers send few forms many times.
 */
final class Expressions {

    private static final int REMEMBERED = 1_024;
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

    private final Map<String, Condition> conditions = lru();
    private final Map<String, Update> updates = lru();

    private static <V> Map<String, V> lru() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    Condition condition(String expression) {
        return expression.isEmpty() ? new Condition.Always()
                : conditions.computeIfAbsent(expression, whole(Expressions::or));
    }

    Update update(String expression) {
        return updates.computeIfAbsent(expression, whole(Expressions::actions));
    }

    private static <V> Function<String, V> whole(Function<Tokens, V> reader) {
        return expression -> {
            Tokens tokens = new Tokens(expression);
            V read = reader.apply(tokens);
            if (tokens.hasNext()) {
                throw tokens.unexpected("expected its end");
            }
            return read;
        };
    }

    private static Update actions(Tokens tokens) {
        List<Update.Action> actions = new ArrayList<>();
        while (tokens.hasNext()) {
            String clause = tokens.take().toUpperCase(Locale.ROOT);
            do {
                actions.add(action(clause, tokens));
            } while (tokens.takeIf(","));
        }
        return new Update(List.copyOf(actions));
    }

    private static Update.Action action(String clause, Tokens tokens) {
        String token = tokens.take();
        switch (clause) {
            case "SET":
                tokens.expect("=");
                return new Update.SetValue(token, sum(tokens));
            case "ADD":
                return new Update.Add(token, operand(tokens));
            case "REMOVE":
                return new Update.Remove(token);
            default:
                throw Refusal.invalid("update expression: this table knows SET, ADD and REMOVE, found " + clause);
        }
    }

    private static Operand sum(Tokens tokens) {
        Operand left = operand(tokens);
        if (tokens.takeIf("+")) {
            return new Operand.Arithmetic(left, operand(tokens), true);
        }
        return tokens.takeIf("-") ? new Operand.Arithmetic(left, operand(tokens), false) : left;
    }

    private static Operand operand(Tokens tokens) {
        String token = tokens.take();
        if (token.startsWith(":")) {
            return new Operand.Placeholder(token);
        }
        if (!token.equals("if_not_exists")) {
            return new Operand.Attribute(token);
        }
        tokens.expect("(");
        String attribute = tokens.take();
        tokens.expect(",");
        Operand otherwise = sum(tokens);
        tokens.expect(")");
        return new Operand.IfNotExists(attribute, otherwise);
    }

    private static Condition or(Tokens tokens) {
        Condition left = and(tokens);
        while (tokens.takeIf("OR")) {
            left = new Condition.Or(left, and(tokens));
        }
        return left;
    }

    private static Condition and(Tokens tokens) {
        Condition left = not(tokens);
        while (tokens.takeIf("AND")) {
            left = new Condition.And(left, not(tokens));
        }
        return left;
    }

    private static Condition not(Tokens tokens) {
        if (tokens.takeIf("NOT")) {
            return new Condition.Not(not(tokens));
        }
        if (tokens.takeIf("(")) {
            Condition inner = or(tokens);
            tokens.expect(")");
            return inner;
        }
        return switch (tokens.peek()) {
            case "attribute_exists", "attribute_not_exists", "contains", "begins_with" -> function(tokens);
            default -> comparison(tokens);
        };
    }

    private static Condition function(Tokens tokens) {
        String function = tokens.take();
        tokens.expect("(");
        String attribute = tokens.take();
        Condition condition;
        if (function.startsWith("attribute")) {
            condition = new Condition.Exists(attribute, function.equals("attribute_exists"));
        } else {
            tokens.expect(",");
            Operand operand = operand(tokens);
            condition = function.equals("contains") ? new Condition.Contains(attribute, operand)
                    : new Condition.BeginsWith(attribute, operand);
        }
        tokens.expect(")");
        return condition;
    }

    private static Condition comparison(Tokens tokens) {
        Operand left = operand(tokens);
        if (tokens.takeIf("BETWEEN")) {
            Operand low = operand(tokens);
            tokens.expect("AND");
            return new Condition.Between(left, low, operand(tokens));
        }
        String operator = tokens.take();
        if (!COMPARISONS.contains(operator)) {
            throw Refusal.invalid("condition: this table knows = <> < <= > >= and BETWEEN, found " + operator);
        }
        return new Condition.Compare(operator, left, operand(tokens));
    }
}
