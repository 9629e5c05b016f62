package dev.windrow.bench.table;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/** A condition in the forms that the writer sends. What an item lacks compares as false. */
@FunctionalInterface
interface Condition {

    /** Without a condition. */
    Condition NONE = (item, bindings) -> true;

    Map<String, Condition> FORMS = Tokens.forms();

    boolean holds(Map<String, Value> item, Bindings bindings);

    /** A value, or null if the item lacks it. */
    @FunctionalInterface
    interface Operand {
        @Nullable
        Value of(Map<String, Value> item, Bindings bindings);
    }

    /** @throws IllegalArgumentException if it has another form */
    static Condition parse(String text) {
        return text.isEmpty() ? NONE : Tokens.cached(FORMS, text, Condition::or);
    }

    private static Condition or(Tokens tokens) {
        Condition left = and(tokens);
        if (!tokens.take("OR")) {
            return left;
        }
        Condition right = or(tokens);
        return (item, bindings) -> left.holds(item, bindings) || right.holds(item, bindings);
    }

    private static Condition and(Tokens tokens) {
        Condition left = term(tokens);
        if (!tokens.take("AND")) {
            return left;
        }
        Condition right = and(tokens);
        return (item, bindings) -> left.holds(item, bindings) && right.holds(item, bindings);
    }

    private static Condition term(Tokens tokens) {
        if (tokens.take("NOT")) {
            Condition negated = term(tokens);
            return (item, bindings) -> !negated.holds(item, bindings);
        }
        if (tokens.take("(")) {
            Condition inner = or(tokens);
            tokens.expect(")");
            return inner;
        }
        boolean exists = tokens.take("attribute_exists");
        if (exists || tokens.take("attribute_not_exists")) {
            tokens.expect("(");
            Operand operand = operand(tokens);
            tokens.expect(")");
            return (item, bindings) -> (operand.of(item, bindings) != null) == exists;
        }
        if (tokens.take("contains")) {
            tokens.expect("(");
            Operand set = operand(tokens);
            tokens.expect(",");
            Operand member = operand(tokens);
            tokens.expect(")");
            return both(set, member, Value::contains);
        }
        return comparison(tokens);
    }

    private static Condition comparison(Tokens tokens) {
        Operand left = operand(tokens);
        String sign = tokens.next();
        Operand right = operand(tokens);
        return switch (sign) {
            case "<" -> both(left, right, (a, b) -> a.compare(b) < 0);
            case ">" -> both(left, right, (a, b) -> a.compare(b) > 0);
            case "=" -> both(left, right, (a, b) -> a.compare(b) == 0);
            default -> throw tokens.unexpected(sign);
        };
    }

    private static Condition both(Operand left, Operand right, java.util.function.BiPredicate<Value, Value> test) {
        return (item, bindings) -> {
            Value a = left.of(item, bindings);
            Value b = right.of(item, bindings);
            return a != null && b != null && test.test(a, b);
        };
    }

    private static Operand operand(Tokens tokens) {
        if (tokens.take("size")) {
            tokens.expect("(");
            Operand sized = operand(tokens);
            tokens.expect(")");
            return (item, bindings) -> {
                Value value = sized.of(item, bindings);
                return value == null ? null : Value.of("N", Integer.toString(value.size()));
            };
        }
        String token = tokens.next();
        if (token.startsWith(":")) {
            return (item, bindings) -> bindings.value(token);
        }
        return (item, bindings) -> item.get(bindings.name(token));
    }
}
