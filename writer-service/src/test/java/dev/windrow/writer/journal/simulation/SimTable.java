package dev.windrow.writer.journal.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A table with DynamoDB's semantics, as far as the journal uses them: an update has a condition on its one item and is
 * carried out whole or not at all; so is a transaction of several; an item in a transaction takes no other write meanwhile.
 */
final class SimTable {

    private final Map<String, Item> items = new HashMap<>();
    private final Set<String> locked = new HashSet<>();

    /** What became of a write of one item. */
    enum Result {
        OK,
        CONDITION,
        VALIDATION
    }

    /** The item cannot take it, whatever its condition says. */
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

    /** The item, to be read only; an empty one if it does not exist. */
    Item get(String key) {
        Item item = items.get(key);
        return item == null ? new Item() : item;
    }

    /** Whether a transaction holds any of the items. */
    boolean isLocked(List<Write> writes) {
        for (Write write : writes) {
            if (locked.contains(write.key)) {
                return true;
            }
        }
        return false;
    }

    void lock(List<Write> writes) {
        writes.forEach(write -> locked.add(write.key));
    }

    void unlock(List<Write> writes) {
        writes.forEach(write -> locked.remove(write.key));
    }

    /** Carries out all writes, or none if one cannot be; gives what each would do by itself. */
    List<Result> write(List<Write> writes) {
        List<Result> results = new ArrayList<>(writes.size());
        List<Item> after = new ArrayList<>(writes.size());
        boolean all = true;
        for (Write write : writes) {
            Item item = get(write.key);
            Result result = Result.OK;
            if (write.condition.test(item)) {
                Item changed = item.copy();
                try {
                    write.action.accept(changed);
                } catch (ValidationException e) {
                    result = Result.VALIDATION;
                }
                after.add(changed);
            } else {
                result = Result.CONDITION;
                after.add(item);
            }
            all &= result == Result.OK;
            results.add(result);
        }
        if (all) {
            for (int i = 0; i < after.size(); i++) {
                items.put(writes.get(i).key, after.get(i));
            }
        }
        return results;
    }
}
