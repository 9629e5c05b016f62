package dev.windrow.bench.table;

import com.fasterxml.jackson.databind.JsonNode;

/** A condition on an item. A comparison with an attribute that is not there is false. */
sealed interface Condition {

    boolean holds(Scope scope);

    /** Always true: the condition of a request that has none. */
    record Always() implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return true;
        }
    }

    /** Both. */
    record And(Condition left, Condition right) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return left.holds(scope) && right.holds(scope);
        }
    }

    /** Either. */
    record Or(Condition left, Condition right) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return left.holds(scope) || right.holds(scope);
        }
    }

    /** Not. */
    record Not(Condition inner) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return !inner.holds(scope);
        }
    }

    /** A comparison by one of {@code = <> < <= > >=}. */
    record Compare(String operator, Operand left, Operand right) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            JsonNode a = left.value(scope);
            JsonNode b = right.value(scope);
            if (a == null || b == null) {
                return operator.equals("<>");
            }
            if (operator.equals("=") || operator.equals("<>")) {
                return Values.equal(a, b) == operator.equals("=");
            }
            if (!Values.comparable(a, b)) {
                return false;
            }
            int order = Values.compare(a, b);
            return switch (operator) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                case ">=" -> order >= 0;
                default -> throw Refusal.invalid("unknown operator " + operator);
            };
        }
    }

    /** Between two values, both included. */
    record Between(Operand tested, Operand low, Operand high) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return new Compare(">=", tested, low).holds(scope) && new Compare("<=", tested, high).holds(scope);
        }
    }

    /** Whether an attribute is there, or is not. */
    record Exists(String token, boolean wanted) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            return (scope.attribute(token) != null) == wanted;
        }
    }

    /** Whether a set holds a member, or a string a part. */
    record Contains(String token, Operand part) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            JsonNode whole = scope.attribute(token);
            return whole != null && Values.contains(whole, part.required(scope));
        }
    }

    /** Whether a string begins with another. */
    record BeginsWith(String token, Operand prefix) implements Condition {
        @Override
        public boolean holds(Scope scope) {
            JsonNode whole = scope.attribute(token);
            return whole != null && whole.hasNonNull("S")
                    && whole.get("S").textValue().startsWith(prefix.required(scope).path("S").asText());
        }
    }
}
