package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An update expression in the forms that the writer sends: SET (also with if_not_exists), REMOVE, ADD. */
@FunctionalInterface
interface Change {

    Map<String, Change> FORMS = Tokens.forms();

    /** Changes a copy of an item. */
    void apply(Map<String, Value> item, Bindings bindings);

    /** @throws IllegalArgumentException if it has another form */
    static Change parse(String text) {
        return Tokens.cached(FORMS, text, tokens -> {
            List<Change> all = new ArrayList<>();
            while (!tokens.isEmpty()) {
                String clause = tokens.next();
                do {
                    all.add(switch (clause) {
                        case "SET" -> set(tokens);
                        case "REMOVE" -> remove(tokens.next());
                        case "ADD" -> add(tokens.next(), tokens.next());
                        default -> throw tokens.unexpected(clause);
                    });
                } while (tokens.take(","));
            }
            return (item, bindings) -> all.forEach(change -> change.apply(item, bindings));
        });
    }

    private static Change set(Tokens tokens) {
        String name = tokens.next();
        tokens.expect("=");
        if (!tokens.take("if_not_exists")) {
            String value = tokens.next();
            return (item, bindings) -> item.put(bindings.name(name), bindings.value(value));
        }
        tokens.expect("(");
        tokens.expect(name);
        tokens.expect(",");
        String value = tokens.next();
        tokens.expect(")");
        return (item, bindings) -> item.putIfAbsent(bindings.name(name), bindings.value(value));
    }

    private static Change remove(String name) {
        return (item, bindings) -> item.remove(bindings.name(name));
    }

    private static Change add(String name, String value) {
        return (item, bindings) -> item.merge(bindings.name(name), bindings.value(value), Value::plus);
    }
}
