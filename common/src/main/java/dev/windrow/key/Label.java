package dev.windrow.key;

import java.util.List;

/**
 * The attribute values that identify a series, in declared order.
 *
 * @param values at least one; any text, also empty
 */
public record Label(List<String> values) {

    public Label {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a label needs at least one value");
        }
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
