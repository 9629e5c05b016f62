package dev.windrow.table;

import java.util.List;

/**
 * The attribute values that identify a series, in declared order.
 *
 * @param values any text, including the empty one; no values in a dataset with one series of all events
 */
public record Label(List<String> values) {

    public Label {
        values = List.copyOf(values);
    }

    public static Label of(String... values) {
        return new Label(List.of(values));
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Label label && values.equals(label.values));
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
