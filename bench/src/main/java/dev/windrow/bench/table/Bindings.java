package dev.windrow.bench.table;

import java.util.Map;

/** What the placeholders of a request's expressions stand for: names after {@code #}, values after {@code :}. */
public record Bindings(Map<String, String> names, Map<String, Value> values) {

    String name(String token) {
        return token.startsWith("#") ? found(names.get(token), token) : token;
    }

    Value value(String token) {
        return found(values.get(token), token);
    }

    private static <T> T found(@org.jspecify.annotations.Nullable T bound, String token) {
        if (bound == null) {
            throw new IllegalArgumentException(token + ": expected a defined name or value");
        }
        return bound;
    }
}
