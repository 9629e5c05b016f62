package dev.windrow.bench.table;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** What an expression computes with. */
sealed interface Operand {

    /** Its value, or null if it names an attribute that the item lacks. */
    @Nullable
    JsonNode value(Scope scope);

    /** The value of something that must be there. */
    default JsonNode required(Scope scope) {
        JsonNode value = value(scope);
        if (value == null) {
            throw Refusal.invalid("The provided expression refers to an attribute that does not exist in the item");
        }
        return value;
    }

    /** A top-level attribute, by name or placeholder. */
    record Attribute(String token) implements Operand {
        @Override
        public @Nullable JsonNode value(Scope scope) {
            return scope.attribute(token);
        }
    }

    /** A value's placeholder. */
    record Placeholder(String token) implements Operand {
        @Override
        public JsonNode value(Scope scope) {
            return scope.value(token);
        }
    }

    /** An attribute, or a default where the item lacks it. */
    record IfNotExists(String token, Operand otherwise) implements Operand {
        @Override
        public @Nullable JsonNode value(Scope scope) {
            JsonNode value = scope.attribute(token);
            return value == null ? otherwise.value(scope) : value;
        }
    }

    /** The sum or difference of two numbers. */
    record Arithmetic(Operand left, Operand right, boolean plus) implements Operand {
        @Override
        public JsonNode value(Scope scope) {
            JsonNode a = left.required(scope);
            JsonNode b = right.required(scope);
            return plus ? Values.sum(a, b) : Values.difference(a, b);
        }
    }
}
