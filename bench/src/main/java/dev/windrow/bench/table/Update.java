package dev.windrow.bench.table;

/**
 * An update of one item as it was sent.
 *
 * @param key of the item
 * @param change what it changes
 * @param condition under which
 * @param bindings of both expressions
 */
public record Update(Key key, Change change, Condition condition, Bindings bindings) {

    /** @throws IllegalArgumentException if an expression has a form that the writer does not send */
    public static Update of(Key key, String change, String condition, Bindings bindings) {
        return new Update(key, Change.parse(change), Condition.parse(condition), bindings);
    }
}
