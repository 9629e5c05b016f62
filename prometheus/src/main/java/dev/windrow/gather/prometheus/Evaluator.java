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
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Sanitized;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Constant;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Operation;
import dev.windrow.gather.prometheus.Expression.Operator;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.TopK;
import dev.windrow.gather.prometheus.Expression.Union;

/**
 * Computes an expression from the series that its selections found.
 *
 * @param selected the series of each of the expression's selections
 * @param steps number of values of each series, present or not
 * @param check runs after each operator, because there may be many over many values; throws if no time is left
 * @param held receives the estimated bytes of results that wait for others, negative when they are released; throws if there is
 *        no room for them
 */
public record Evaluator(Map<Selection, List<MetricSeries>> selected, int steps, Runnable check, LongConsumer held) {

    /**
     * Returns the series of a vector, ordered by labels; those of an outermost {@code topk} at one time, largest first.
     *
     * @param expression not a number
     */
    public List<MetricSeries> series(Expression expression) {
        List<MetricSeries> series = computed(expression);
        check.run();
        return series;
    }

    private List<MetricSeries> computed(Expression expression) {
        if (expression instanceof Selection selection) {
            return selected.getOrDefault(selection, List.of()).stream()
                    .sorted(Comparator.comparing(MetricSeries::labels, Evaluator::compareLabels)).toList();
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
            return List.of(MetricSeries.of(new TreeMap<>(), steps, step -> constant.number()));
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
    private List<MetricSeries> combined(Operation operation) {
        Operator operator = operation.operator();
        boolean keepsRight = operation.left().isScalar();
        // Division by a zero in a vector gives no value; by a zero in the query it is an error.
        BinaryOperator<@Nullable Number> combination = operation.bool() ? operator::truth
                : operator.isComparison()
                        ? (left, right) -> !operator.holds(left, right) ? null : keepsRight ? right : left
                        : (left, right) -> !operation.right().isScalar() && operator.isUndefined(right) ? null
                                : operator.apply(left, right);
        Stream<MetricSeries> results;
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
    private Stream<MetricSeries> matched(Operation operation, BinaryOperator<@Nullable Number> combination) {
        String symbol = operation.operator().symbol();
        List<MetricSeries> left = series(operation.left());
        // Selected series are already accounted for; computed ones wait for the other operand.
        long waiting = operation.left() instanceof Selection ? 0
                : left.stream().mapToLong(series -> HeldSize.ofSamples(series.values().size())).sum();
        held.accept(waiting);
        Map<SortedMap<String, String>, MetricSeries> right = byLabels(series(operation.right()), "right", symbol);
        held.accept(-waiting);
        return byLabels(left, "left", symbol).entrySet().stream().flatMap(entry -> Stream
                .ofNullable(right.get(entry.getKey())).map(partner -> combined(entry.getValue(), partner, combination)));
    }

    private List<MetricSeries> united(Union union) {
        List<MetricSeries> left = series(union.left());
        long waiting = union.left() instanceof Selection ? 0
                : left.stream().mapToLong(series -> HeldSize.ofSamples(series.values().size())).sum();
        held.accept(waiting);
        SortedMap<SortedMap<String, String>, BitSet> taken = new TreeMap<>(Evaluator::compareLabels);
        SortedMap<SortedMap<String, String>, MetricSeries> all = new TreeMap<>(Evaluator::compareLabels);
        left.forEach(series -> {
            taken.computeIfAbsent(series.unnamed().labels(), absent -> new BitSet()).or(series.present());
            all.put(series.labels(), series);
        });
        for (MetricSeries series : series(union.right())) {
            BitSet not = taken.getOrDefault(series.unnamed().labels(), new BitSet());
            MetricSeries rest = MetricSeries.of(series.labels(), steps,
                    step -> not.get(step) ? null : series.values().get(step));
            if (rest.size() > 0) {
                all.merge(rest.labels(), rest, (own, other) -> MetricSeries.of(own.labels(), steps,
                        step -> own.values().get(step) == null ? other.values().get(step) : own.values().get(step)));
            }
        }
        held.accept(-waiting);
        return List.copyOf(all.values());
    }

    private static MetricSeries combined(MetricSeries left, MetricSeries right, BinaryOperator<@Nullable Number> combination) {
        return MetricSeries.of(left.labels(), left.values().size(), step -> {
            Number a = left.values().get(step);
            Number b = right.values().get(step);
            return a == null || b == null ? null : combination.apply(a, b);
        });
    }

    private static Map<SortedMap<String, String>, MetricSeries> byLabels(List<MetricSeries> vector, String side,
            String symbol) {
        Map<SortedMap<String, String>, MetricSeries> byLabels = new TreeMap<>(Evaluator::compareLabels);
        for (MetricSeries series : vector) {
            SortedMap<String, String> labels = series.unnamed().labels();
            if (byLabels.put(labels, series) != null) {
                throw PromQl.invalid("found duplicate series with the labels " + Sanitized.of(labels.toString()) + " on the "
                        + side + " side of " + symbol + ": without their names, labels must be unique on each side");
            }
        }
        return byLabels;
    }

    private List<MetricSeries> absent(Absent absent) {
        List<MetricSeries> present = series(absent.of());
        MetricSeries series = MetricSeries.of(absent.labels(), steps,
                step -> values(present, step).isEmpty() ? BigDecimal.ONE : null);
        return series.size() > 0 ? List.of(series) : List.of();
    }

    private List<MetricSeries> aggregated(Aggregation aggregation) {
        return groups(aggregation.by(), series(aggregation.of())).entrySet().stream()
                .map(group -> MetricSeries.of(group.getKey(),
                        steps, step -> aggregated(aggregation.operator(), values(group.getValue(), step))))
                .toList();
    }

    /** Returns the existing values of some series at one time. */
    private static List<Number> values(List<MetricSeries> series, int step) {
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
    private List<MetricSeries> top(TopK top) {
        return groups(top.by(), series(top.of())).values().stream().flatMap(members -> largest(top.count(), members)).toList();
    }

    private Stream<MetricSeries> largest(int count, List<MetricSeries> members) {
        List<BitSet> kept = IntStream.range(0, steps).mapToObj(step -> IntStream.range(0, members.size()).boxed()
                .filter(member -> members.get(member).values().get(step) != null)
                .sorted(Collections.reverseOrder(
                        Comparator.comparing(member -> members.get(member).values().get(step), Operator::compare)))
                .limit(count).collect(BitSet::new, BitSet::set, BitSet::or)).toList();
        Stream<MetricSeries> largest = IntStream.range(0, members.size())
                .mapToObj(member -> MetricSeries.of(members.get(member).labels(), steps,
                        step -> kept.get(step).get(member) ? members.get(member).values().get(step) : null))
                .filter(series -> series.size() > 0);
        Comparator<MetricSeries> order = Comparator.comparing(series -> series.values().get(0),
                Comparator.nullsFirst(Operator::compare));
        // Tables show the largest first; over time, the order differs from step to step.
        return steps == 1 ? largest.sorted(order.reversed()) : largest;
    }

    private static Map<SortedMap<String, String>, List<MetricSeries>> groups(Set<String> by, List<MetricSeries> series) {
        Map<SortedMap<String, String>, List<MetricSeries>> groups = new TreeMap<>(Evaluator::compareLabels);
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

}
