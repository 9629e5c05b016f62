package dev.windrow.gather.promql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A series of values.
 *
 * @param labels its labels, of which none is empty; the name among them, if it has one
 * @param values one for each evaluation time, as in a {@link Expression.Literal}; null where there is none
 */
public record Series(SortedMap<String, String> labels, List<? extends @Nullable Number> values) {

    public Series {
        labels = Collections.unmodifiableSortedMap(labels);
        values = Collections.unmodifiableList(values);
    }

    /** The number of values that are not null. */
    public int size() {
        return (int) values.stream().filter(value -> value != null).count();
    }

    /** The same without its name, each value replaced. */
    Series mapped(UnaryOperator<Number> function) {
        List<@Nullable Number> mapped = new ArrayList<>(values.size());
        values.forEach(value -> mapped.add(value == null ? null : function.apply(value)));
        SortedMap<String, String> unnamed = new TreeMap<>(labels);
        unnamed.remove(PromQl.NAME);
        return new Series(unnamed, mapped);
    }

    /** The same labels with other values. */
    Series with(List<@Nullable Number> others) {
        return new Series(labels, others);
    }
}
