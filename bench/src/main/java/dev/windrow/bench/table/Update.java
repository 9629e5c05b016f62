package dev.windrow.bench.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An update expression. Every operand is evaluated against the item as it was.
 *
 * @param actions in the order written
 */
record Update(List<Action> actions) {

    /** One action on one attribute. */
    sealed interface Action {

        String token();

        void apply(Scope before, String name, Map<String, JsonNode> after);
    }

    /** {@code SET a = operand}. */
    record SetValue(String token, Operand operand) implements Action {
        @Override
        public void apply(Scope before, String name, Map<String, JsonNode> after) {
            after.put(name, operand.required(before));
        }
    }

    /** {@code ADD a :v}: a number is added, a set is united. */
    record Add(String token, Operand operand) implements Action {
        @Override
        public void apply(Scope before, String name, Map<String, JsonNode> after) {
            JsonNode added = operand.required(before);
            JsonNode old = before.item().get(name);
            if (old == null) {
                after.put(name, added);
            } else if (added.has("N")) {
                after.put(name, Values.sum(old, added));
            } else {
                after.put(name, Values.union(old, added));
            }
        }
    }

    /** {@code REMOVE a}. */
    record Remove(String token) implements Action {
        @Override
        public void apply(Scope before, String name, Map<String, JsonNode> after) {
            after.remove(name);
        }
    }

    /** The item after the update, with its key if it was not there. */
    Item apply(Scope before, Map<String, JsonNode> key, Set<String> keyNames) {
        Map<String, JsonNode> after = new LinkedHashMap<>(before.item().attributes());
        if (after.isEmpty()) {
            after.putAll(key);
        }
        for (Action action : actions) {
            String name = before.name(action.token());
            if (keyNames.contains(name)) {
                throw Refusal.invalid("Cannot update attribute " + name + ". This attribute is part of the key");
            }
            action.apply(before, name, after);
        }
        return new Item(after);
    }
}
