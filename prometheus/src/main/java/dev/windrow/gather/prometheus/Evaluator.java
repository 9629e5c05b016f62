package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Sanitized;
import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Constant;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Operation;
import dev.windrow.gather.prometheus.Expression.Operator;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.TopK;
import dev.windrow.gather.prometheus.Expression.Union;
import dev.windrow.gather.read.HeldMemory.HeldSize;

/**
 * Computes an expression from the series that its selections found.
 *
 * @param selected the series of each of the expression's selections
 * @param steps number of values of each series, present or not
 * @param check runs after each operator, because there may be many over many values; throws if no time is left
 * @param held receives the estimated bytes of results that wait for others, negative when they are released; throws if there is
 *        no room for them
 */
public record Evaluator(Map<Selection, List<Series>> selected, int steps, Runnable check, LongConsumer held) {

    /**
     * Returns the series of a vector, ordered by labels; those of an outermost {@code topk} at one time, largest first.
     *
     * @param expression not a number
     */
    public List<Series> series(Expression expression) {
        List<Series> series = computed(expression);
        check.run();
        return series;
    }

    private List<Series> computed(Expression expression) {
        if (expression instanceof Selection selection) {
            return selected.getOrDefault(selection, List.of()).stream()
                    .sorted(Comparator.comparing(Series::labels, Evaluator::compareLabels)).toList();
        }
        if (expression instanceof Aggregation aggregation) {
            return aggregated(aggregation);
        }
        if (expression instanceof TopK top) {
            return top(top);
        }
        if (expression instanceof Absent absent) {
            return absent(absent);
        }
        if (expression instanceof Constant constant) {
            return List.of(Series.of(new TreeMap<>(), steps, step -> constant.number()));
        }
        if (expression instanceof Union union) {
            return united(union);
        }
        if (expression instanceof Operation operation) {
            return combined(operation);
        }
        throw new IllegalArgumentException("no vector: " + expression);
    }

    /** Returns the combined values, with the labels of the left, or of the only vector. */
    private List<Series> combined(Operation operation) {
        Operator operator = operation.operator();
        boolean keepsRight = operation.left().isScalar();
        // Division by a zero in a vector gives no value; by a zero in the query it is an error.
        BinaryOperator<@Nullable Number> combination = operation.bool() ? operator::truth
                : operator.isComparison()
                        ? (left, right) -> !operator.holds(left, right) ? null : keepsRight ? right : left
                        : (left, right) -> !operation.right().isScalar() && operator.isUndefined(right) ? null
                                : operator.apply(left, right);
        Stream<Series> results;
        if (operation.left() instanceof Literal left) {
            results = series(operation.right()).stream()
                    .map(series -> series.mapped(value -> combination.apply(left.number(), value)));
        } else if (operation.right() instanceof Literal right) {
            results = series(operation.left()).stream()
                    .map(series -> series.mapped(value -> combination.apply(value, right.number())));
        } else {
            results = matched(operation, combination);
        }
        return results.filter(series -> series.size() > 0)
                .map(series -> operation.filters() ? series : series.unnamed()).toList();
    }

    /**
     * Matches series one to one, by all labels except the name.
     *
     * @param combination the result of a value on the left and one on the right; null if there is none
     */
    private Stream<Series> matched(Operation operation, BinaryOperator<@Nullable Number> combination) {
        String symbol = operation.operator().symbol();
        List<Series> left = series(operation.left());
        // Selected series are already accounted for; computed ones wait for the other operand.
        long waiting = operation.left() instanceof Selection ? 0
                : left.stream().mapToLong(series -> HeldSize.ofSamples(series.values().size())).sum();
        held.accept(waiting);
        Map<SortedMap<String, String>, Series> right = byLabels(series(operation.right()), "right", symbol);
        held.accept(-waiting);
        return byLabels(left, "left", symbol).entrySet().stream().flatMap(entry -> Stream
                .ofNullable(right.get(entry.getKey())).map(partner -> combined(entry.getValue(), partner, combination)));
    }

    private List<Series> united(Union union) {
        List<Series> left = series(union.left());
        long waiting = union.left() instanceof Selection ? 0
                : left.stream().mapToLong(series -> HeldSize.ofSamples(series.values().size())).sum();
        held.accept(waiting);
        SortedMap<SortedMap<String, String>, BitSet> taken = new TreeMap<>(Evaluator::compareLabels);
        SortedMap<SortedMap<String, String>, Series> all = new TreeMap<>(Evaluator::compareLabels);
        left.forEach(series -> {
            taken.computeIfAbsent(series.unnamed().labels(), absent -> new BitSet()).or(series.present());
            all.put(series.labels(), series);
        });
        for (Series series : series(union.right())) {
            BitSet not = taken.getOrDefault(series.unnamed().labels(), new BitSet());
            Series rest = Series.of(series.labels(), steps, step -> not.get(step) ? null : series.values().get(step));
            if (rest.size() > 0) {
                all.merge(rest.labels(), rest, (own, other) -> Series.of(own.labels(), steps,
                        step -> own.values().get(step) == null ? other.values().get(step) : own.values().get(step)));
            }
        }
        held.accept(-waiting);
        return List.copyOf(all.values());
    }

    private static Series combined(Series left, Series right, BinaryOperator<@Nullable Number> combination) {
        return Series.of(left.labels(), left.values().size(), step -> {
            Number a = left.values().get(step);
            Number b = right.values().get(step);
            return a == null || b == null ? null : combination.apply(a, b);
        });
    }

    private static Map<SortedMap<String, String>, Series> byLabels(List<Series> vector, String side, String symbol) {
        Map<SortedMap<String, String>, Series> byLabels = new TreeMap<>(Evaluator::compareLabels);
        for (Series series : vector) {
            SortedMap<String, String> labels = series.unnamed().labels();
            if (byLabels.put(labels, series) != null) {
                throw PromQl.invalid("found duplicate series with the labels " + Sanitized.of(labels.toString()) + " on the "
                        + side + " side of " + symbol + ": without their names, labels must be unique on each side");
            }
        }
        return byLabels;
    }

    private List<Series> absent(Absent absent) {
        List<Series> present = series(absent.of());
        Series series = Series.of(absent.labels(), steps, step -> values(present, step).isEmpty() ? BigDecimal.ONE : null);
        return series.size() > 0 ? List.of(series) : List.of();
    }

    private List<Series> aggregated(Aggregation aggregation) {
        return groups(aggregation.by(), series(aggregation.of())).entrySet().stream().map(group -> Series.of(group.getKey(),
                steps, step -> aggregated(aggregation.operator(), values(group.getValue(), step)))).toList();
    }

    /** Returns the existing values of some series at one time. */
    private static List<Number> values(List<Series> series, int step) {
        return series.stream().<Number> flatMap(each -> Stream.ofNullable(each.values().get(step))).toList();
    }

    private static @Nullable Number aggregated(Aggregation.Operator operator, List<Number> values) {
        if (values.isEmpty()) {
            return null;
        }
        return switch (operator) {
            case SUM -> sum(values);
            // The smallest value, like the largest, is NaN only if all values are.
            case MIN -> Collections.min(values, Comparator.comparing(Operator::isNoNumber).thenComparing(Operator::compare));
            case MAX -> Collections.max(values, Operator::compare);
            case AVG -> Operator.DIVIDE.apply(sum(values), BigDecimal.valueOf(values.size()));
            case COUNT -> BigDecimal.valueOf(values.size());
        };
    }

    /** Sums exactly, with all digits. */
    private static Number sum(List<Number> values) {
        return values.stream().reduce((left, right) -> left instanceof BigDecimal a && right instanceof BigDecimal b ? a.add(b)
                : Operator.ADD.apply(left, right)).orElseThrow();
    }

    /** Of equal series, the first in the order of labels is kept. */
    private List<Series> top(TopK top) {
        return groups(top.by(), series(top.of())).values().stream().flatMap(members -> largest(top.count(), members)).toList();
    }

    private Stream<Series> largest(int count, List<Series> members) {
        List<BitSet> kept = IntStream.range(0, steps).mapToObj(step -> IntStream.range(0, members.size()).boxed()
                .filter(member -> members.get(member).values().get(step) != null)
                .sorted(Collections.reverseOrder(
                        Comparator.comparing(member -> members.get(member).values().get(step), Operator::compare)))
                .limit(count).collect(BitSet::new, BitSet::set, BitSet::or)).toList();
        Stream<Series> largest = IntStream.range(0, members.size())
                .mapToObj(member -> Series.of(members.get(member).labels(), steps,
                        step -> kept.get(step).get(member) ? members.get(member).values().get(step) : null))
                .filter(series -> series.size() > 0);
        Comparator<Series> order = Comparator.comparing(series -> series.values().get(0),
                Comparator.nullsFirst(Operator::compare));
        // Tables show the largest first; over time, the order differs from step to step.
        return steps == 1 ? largest.sorted(order.reversed()) : largest;
    }

    private static Map<SortedMap<String, String>, List<Series>> groups(Set<String> by, List<Series> series) {
        Map<SortedMap<String, String>, List<Series>> groups = new TreeMap<>(Evaluator::compareLabels);
        series.forEach(each -> {
            SortedMap<String, String> labels = new TreeMap<>(each.labels());
            labels.keySet().retainAll(by);
            groups.computeIfAbsent(labels, absent -> new ArrayList<>()).add(each);
        });
        return groups;
    }

    /** Orders sets of labels: by the first label, name or value, that differs. Copies nothing, as lists may be long. */
    static int compareLabels(SortedMap<String, String> a, SortedMap<String, String> b) {
        Iterator<Map.Entry<String, String>> others = b.entrySet().iterator();
        for (Map.Entry<String, String> label : a.entrySet()) {
            if (!others.hasNext()) {
                return 1;
            }
            Map.Entry<String, String> other = others.next();
            int order = label.getKey().compareTo(other.getKey());
            order = order == 0 ? label.getValue().compareTo(other.getValue()) : order;
            if (order != 0) {
                return order;
            }
        }
        return others.hasNext() ? -1 : 0;
    }

    /**
     * A series of values.
     *
     * @param labels its labels, none with an empty value; including the name, if it has one
     * @param values one for each evaluation time, as in a {@link Expression.Literal}; null if there is none
     */
    public record Series(SortedMap<String, String> labels, List<? extends @Nullable Number> values) {

        /** @param value the value of each step, or null */
        static Series of(SortedMap<String, String> labels, int steps, IntFunction<@Nullable Number> value) {
            return new Series(labels, IntStream.range(0, steps).<@Nullable Number> mapToObj(value).toList());
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
        Series mapped(Function<Number, @Nullable Number> function) {
            return of(labels, values.size(), step -> {
                Number value = values.get(step);
                return value == null ? null : function.apply(value);
            });
        }

        Series unnamed() {
            SortedMap<String, String> unnamed = new TreeMap<>(labels);
            unnamed.remove(PromQl.NAME);
            return new Series(unnamed, values);
        }
    }
}
