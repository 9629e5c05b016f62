package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An update expression in the forms that the writer sends: SET (also with if_not_exists), REMOVE, ADD. */
@FunctionalInterface
interface Change {

    Map<String, Change> FORMS = new ConcurrentHashMap<>();

    /** Changes a copy of an item. */
    void apply(ObjectNode item, Update update);

    /** @throws IllegalArgumentException if it has another form */
    static Change parse(String text) {
        return Tokens.cached(FORMS, text, tokens -> {
            List<Change> all = new ArrayList<>();
            while (!tokens.isEmpty()) {
                String clause = tokens.next();
                do {
                    all.add(change(clause, tokens.next(), tokens));
                } while (tokens.take(","));
            }
            return (item, update) -> all.forEach(change -> change.apply(item, update));
        });
    }

    private static Change change(String clause, String name, Tokens tokens) {
        if (clause.equals("REMOVE")) {
            return (item, update) -> item.remove(update.name(name));
        }
        boolean set = clause.equals("SET") && tokens.take("=");
        boolean absent = set && tokens.take("if_not_exists");
        if (absent) {
            tokens.expect("(", name, ",");
        }
        String value = tokens.next();
        if (absent) {
            tokens.expect(")");
            return (item, update) -> item.putIfAbsent(update.name(name), update.value(value));
        }
        if (set) {
            return (item, update) -> item.set(update.name(name), update.value(value));
        }
        if (!clause.equals("ADD")) {
            throw tokens.unexpected(clause);
        }
        return (item, update) -> {
            JsonNode before = item.get(update.name(name));
            item.set(update.name(name), before == null ? update.value(value) : Values.plus(before, update.value(value)));
        };
    }
}
