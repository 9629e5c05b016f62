package dev.windrow.table;

import java.util.List;

/**
 * The attribute values that identify a series, in declared order. Ordered as their encoded keys would be. Maps use the order
 * for keys with equal hashes, which whoever chooses labels can produce at will; so it is that of {@link #equals}.
 *
 * @param values any text, including the empty one; no values in a dataset with one series of all events
 */
public record Label(List<String> values) implements Comparable<Label> {

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

    @Override
    public int compareTo(Label other) {
        for (int i = 0; i < Math.min(values.size(), other.values.size()); i++) {
            int order = Utf8Order.ASCENDING.compare(values.get(i), other.values.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(values.size(), other.values.size());
    }
}
