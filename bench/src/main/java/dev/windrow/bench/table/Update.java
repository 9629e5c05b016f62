package dev.windrow.bench.table;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An update of one item as it was sent.
 *
 * @param names what placeholders of both expressions with {@code #} stand for
 * @param values what those with {@code :} stand for
 */
public record Update(Key key, Change change, Condition condition, JsonNode names, JsonNode values) {

    /** @throws IllegalArgumentException if an expression has a form that the writer does not send */
    public static Update of(Key key, String change, String condition, JsonNode names, JsonNode values) {
        return new Update(key, Change.parse(change), Condition.parse(condition), names, values);
    }

    String name(String token) {
        return token.startsWith("#") ? found(names, token).asText() : token;
    }

    JsonNode value(String token) {
        return found(values, token);
    }

    private static JsonNode found(JsonNode bound, String token) {
        if (!bound.has(token)) {
            throw new IllegalArgumentException(token + ": expected a defined name or value");
        }
        return bound.get(token);
    }
}
