package dev.windrow.bench.table;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What an expression is evaluated against.
 *
 * @param item the item before the request
 * @param names the request's ExpressionAttributeNames
 * @param values the request's ExpressionAttributeValues
 */
record Scope(Item item, JsonNode names, JsonNode values) {

    Scope of(Item other) {
        return new Scope(other, names, values);
    }

    String name(String token) {
        if (!token.startsWith("#")) {
            return token;
        }
        JsonNode name = names.get(token);
        if (name == null) {
            throw Refusal
                    .invalid("An expression attribute name used in the document path is not defined; attribute name: " + token);
        }
        return name.textValue();
    }

    JsonNode value(String token) {
        JsonNode value = values.get(token);
        if (value == null) {
            throw Refusal.invalid("An expression attribute value used in expression is not defined; attribute value: " + token);
        }
        return value;
    }

    @Nullable
    JsonNode attribute(String token) {
        return item.get(name(token));
    }
}
