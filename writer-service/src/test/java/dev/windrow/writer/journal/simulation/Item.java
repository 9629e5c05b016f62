package dev.windrow.writer.journal.simulation;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** An item of the table: attributes by name, whose values are never changed, only replaced. */
final class Item {

    private final Map<String, Object> attributes;

    Item() {
        this(new HashMap<>());
    }

    private Item(Map<String, Object> attributes) {
        this.attributes = attributes;
    }

    Item copy() {
        return new Item(new HashMap<>(attributes));
    }

    boolean has(String name) {
        return attributes.containsKey(name);
    }

    long number(String name) {
        return (Long) attributes.getOrDefault(name, 0L);
    }

    @SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
    <T> @Nullable T get(String name) {
        return (T) attributes.get(name);
    }

    void set(String name, Object value) {
        attributes.put(name, value);
    }

    boolean isEmpty() {
        return attributes.isEmpty();
    }
}
