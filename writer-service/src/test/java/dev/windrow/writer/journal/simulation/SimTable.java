package dev.windrow.writer.journal.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A table with DynamoDB's semantics, as far as the journal uses them. An update has a condition on its one item and is executed
 * as a whole or not at all; so is a transaction of several. An item in a transaction takes no other write meanwhile. A
 * transaction is committed item by item, so that another one may meet some of its items before it and some after it.
 */
final class SimTable {

    private final Map<String, Item> items = new HashMap<>();
    private final Set<String> locked = new HashSet<>();

    enum Result {
        OK,
        CONDITION,
        VALIDATION,
        /** A transaction holds the item, so nothing is known of it. */
        CONFLICT
    }

    /** The item cannot take the write, whatever its condition says. */
    static final class ValidationException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ValidationException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * A write of one item.
     *
     * @param condition on the current item; an empty one if it does not exist
     * @param action changes the item; may throw {@link ValidationException}
     */
    record Write(String key, Predicate<Item> condition, Consumer<Item> action) {
    }

    /** Returns the item, which must not be modified; an empty one if it does not exist. */
    Item get(String key) {
        Item item = items.get(key);
        return item == null ? new Item() : item;
    }

    /**
     * Writes that were tried, each by itself, and not executed yet.
     *
     * @param results the result that each would have
     * @param after the items after the writes
     */
    record Prepared(List<Write> writes, List<Result> results, List<Item> after) {

        boolean has(Result result) {
            return results.contains(result);
        }

        boolean holds() {
            return results.stream().allMatch(result -> result == Result.OK);
        }
    }

    Prepared prepare(List<Write> writes) {
        List<Result> results = new ArrayList<>(writes.size());
        List<Item> after = new ArrayList<>(writes.size());
        for (Write write : writes) {
            Item item = get(write.key);
            Result result = locked.contains(write.key) ? Result.CONFLICT
                    : write.condition.test(item) ? Result.OK : Result.CONDITION;
            if (result == Result.OK) {
                item = item.copy();
                try {
                    write.action.accept(item);
                } catch (ValidationException e) {
                    result = Result.VALIDATION;
                }
            }
            after.add(item);
            results.add(result);
        }
        return new Prepared(writes, results, after);
    }

    /** Begins a transaction: locks its items, except those that another one holds. */
    void lock(Prepared prepared) {
        for (int i = 0; i < prepared.writes.size(); i++) {
            if (prepared.results.get(i) != Result.CONFLICT) {
                locked.add(prepared.writes.get(i).key);
            }
        }
    }

    void unlock(Prepared prepared) {
        for (int i = 0; i < prepared.writes.size(); i++) {
            if (prepared.results.get(i) != Result.CONFLICT) {
                locked.remove(prepared.writes.get(i).key);
            }
        }
    }

    /** Deletes an item; false while a transaction holds it. */
    boolean remove(String key) {
        if (locked.contains(key)) {
            return false;
        }
        items.remove(key);
        return true;
    }

    /** Executes one of the writes; the others must follow, sooner or later. */
    void commit(Prepared prepared, int number) {
        String key = prepared.writes.get(number).key;
        items.put(key, prepared.after.get(number));
        locked.remove(key);
    }

    void commit(Prepared prepared) {
        for (int i = 0; i < prepared.writes.size(); i++) {
            commit(prepared, i);
        }
    }

    /** An item of the table: attributes by name, whose values are never changed, only replaced. */
    static final class Item {

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
}
