package dev.windrow.gather.prometheus;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.prometheus.Expression.Literal;

/**
 * A series of values.
 *
 * @param labels its labels, none with an empty value; including the name, if it has one
 * @param values one for each evaluation time, as in a {@link Expression.Literal}; null if there is none
 */
public record MetricSeries(SortedMap<String, String> labels, List<? extends @Nullable Number> values) {

    /** @param value the value of each step, or null */
    static MetricSeries of(SortedMap<String, String> labels, int steps, IntFunction<@Nullable Number> value) {
        return new MetricSeries(labels, IntStream.range(0, steps).<@Nullable Number> mapToObj(value).toList());
    }

    /** The number of values that are not null. */
    public int size() {
        return (int) values.stream().filter(value -> value != null).count();
    }

    /** The steps at which there is a value. */
    BitSet present() {
        return IntStream.range(0, values.size()).filter(step -> values.get(step) != null)
                .collect(BitSet::new, BitSet::set, BitSet::or);
    }

    /** Returns the series with each value replaced, or left out if the function returns null. */
    MetricSeries mapped(Function<Number, @Nullable Number> function) {
        return of(labels, values.size(), step -> {
            Number value = values.get(step);
            return value == null ? null : function.apply(value);
        });
    }

    MetricSeries unnamed() {
        SortedMap<String, String> unnamed = new TreeMap<>(labels);
        unnamed.remove(PromQl.NAME);
        return new MetricSeries(unnamed, values);
    }
}
