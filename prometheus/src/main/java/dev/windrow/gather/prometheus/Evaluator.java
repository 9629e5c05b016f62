package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Sanitized;
import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Arithmetic;
import dev.windrow.gather.prometheus.Expression.ArithmeticOperator;
import dev.windrow.gather.prometheus.Expression.Comparison;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Operation;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.TopK;
import dev.windrow.gather.read.HeldMemory.HeldSize;

/**
 * Computes an expression from the series that its selections found.
 *
 * @param selected the series of each of the expression's selections
 * @param steps how many values each series has, present or not
 * @param check is run after each operator, as there may be many over many values; throws if there is no time for more
 * @param held is given the estimated bytes of results that wait for others, less than zero when they are let go; throws if
 *        there is no room for them
 */
public record Evaluator(Map<Selection, List<Series>> selected, int steps, Runnable check, LongConsumer held) {

    /**
     * The series of a vector, in the order of their labels; those of an outermost {@code topk} at one time, largest first.
     *
     * @param expression no number
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
        if (expression instanceof Arithmetic arithmetic) {
            return calculated(arithmetic);
        }
        if (expression instanceof Comparison comparison) {
            return compared(comparison);
        }
        throw new IllegalArgumentException("no vector: " + expression);
    }

    /** Nothing is divided by a zero of a vector; by one of the query is an error. */
    private List<Series> calculated(Arithmetic arithmetic) {
        ArithmeticOperator operator = arithmetic.operator();
        BiFunction<Number, Number, @Nullable Number> combination = (left, right) -> !arithmetic.right().isScalar()
                && operator.isUndefined(right) ? null : operator.apply(left, right);
        return combined(arithmetic, operator.symbol(), combination).stream().map(Series::unnamed).toList();
    }

    private List<Series> compared(Comparison comparison) {
        boolean keepsRight = comparison.left().isScalar();
        return combined(comparison, comparison.operator().symbol(),
                (left, right) -> !comparison.operator().holds(left, right) ? null : keepsRight ? right : left);
    }

    /**
     * The combined values, with the labels of the left, or of the only vector.
     *
     * @param combination what becomes of a value of the left and one of the right; null if nothing
     */
    private List<Series> combined(Operation operation, String symbol,
            BiFunction<Number, Number, @Nullable Number> combination) {
        Stream<Series> results;
        if (operation.left() instanceof Literal left) {
            results = series(operation.right()).stream()
                    .map(series -> series.mapped(value -> combination.apply(left.number(), value)));
        } else if (operation.right() instanceof Literal right) {
            results = series(operation.left()).stream()
                    .map(series -> series.mapped(value -> combination.apply(value, right.number())));
        } else {
            results = matched(operation, symbol, combination);
        }
        return results.filter(series -> series.size() > 0).toList();
    }

    /** One to one, by all labels but the name. */
    private Stream<Series> matched(Operation operation, String symbol,
            BiFunction<Number, Number, @Nullable Number> combination) {
        List<Series> left = series(operation.left());
        // What was selected is held already; what was computed of it waits for the other operand.
        long waiting = operation.left() instanceof Selection ? 0
                : left.stream().mapToLong(series -> HeldSize.ofSamples(series.values().size())).sum();
        held.accept(waiting);
        Map<SortedMap<String, String>, Series> right = byLabels(series(operation.right()), "right", symbol);
        held.accept(-waiting);
        List<Series> results = new ArrayList<>();
        byLabels(left, "left", symbol).forEach((labels, series) -> {
            Series partner = right.get(labels);
            if (partner != null) {
                List<@Nullable Number> values = new ArrayList<>(steps);
                for (int step = 0; step < series.values().size(); step++) {
                    Number a = series.values().get(step);
                    Number b = partner.values().get(step);
                    values.add(a == null || b == null ? null : combination.apply(a, b));
                }
                results.add(series.with(values));
            }
        });
        return results.stream();
    }

    private static Map<SortedMap<String, String>, Series> byLabels(List<Series> vector, String side, String symbol) {
        Map<SortedMap<String, String>, Series> byLabels = new LinkedHashMap<>();
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
        List<@Nullable Number> values = new ArrayList<>(steps);
        for (int step = 0; step < steps; step++) {
            int at = step;
            values.add(present.stream().anyMatch(series -> series.values().get(at) != null) ? null : BigDecimal.ONE);
        }
        return Stream.of(new Series(absent.labels(), values)).filter(series -> series.size() > 0).toList();
    }

    private List<Series> aggregated(Aggregation aggregation) {
        List<Series> results = new ArrayList<>();
        groups(aggregation.by(), series(aggregation.of())).forEach((labels, members) -> {
            List<@Nullable Number> values = new ArrayList<>();
            for (int step = 0; step < members.get(0).values().size(); step++) {
                values.add(aggregated(aggregation.operator(), members, step));
            }
            results.add(new Series(labels, values));
        });
        return results;
    }

    private static @Nullable Number aggregated(Aggregation.Operator operator, List<Series> members, int step) {
        BinaryOperator<Number> joined = switch (operator) {
            case SUM, AVG, COUNT -> Evaluator::sum;
            case MIN -> (a, b) -> isLess(b, a) ? b : a;
            case MAX -> BinaryOperator.maxBy(ArithmeticOperator::compare);
        };
        Number result = null;
        int count = 0;
        for (Series member : members) {
            Number value = member.values().get(step);
            if (value != null) {
                count++;
                result = result == null ? value : joined.apply(result, value);
            }
        }
        if (result == null) {
            return null;
        }
        return switch (operator) {
            case COUNT -> BigDecimal.valueOf(count);
            case AVG -> ArithmeticOperator.DIVIDE.apply(result, BigDecimal.valueOf(count));
            case SUM, MIN, MAX -> result;
        };
    }

    /** Exact, with all digits. */
    private static Number sum(Number left, Number right) {
        return left instanceof BigDecimal a && right instanceof BigDecimal b ? a.add(b)
                : ArithmeticOperator.ADD.apply(left, right);
    }

    /** The smallest of some, like the largest, is a number if one of them is. */
    private static boolean isLess(Number number, Number other) {
        return ArithmeticOperator.isNoNumber(other)
                || (!ArithmeticOperator.isNoNumber(number) && ArithmeticOperator.compare(number, other) < 0);
    }

    /** Of equals, the first in the order of labels. */
    private List<Series> top(TopK top) {
        List<Series> results = new ArrayList<>();
        groups(top.by(), series(top.of())).values().forEach(members -> results.addAll(largest(top.count(), members)));
        return results;
    }

    private static List<Series> largest(int count, List<Series> members) {
        int steps = members.get(0).values().size();
        List<List<@Nullable Number>> kept = new ArrayList<>();
        members.forEach(member -> kept.add(new ArrayList<>(Collections.nCopies(steps, null))));
        for (int step = 0; step < steps; step++) {
            int at = step;
            record Candidate(int member, Number value) {
            }
            List<Candidate> candidates = new ArrayList<>();
            for (int i = 0; i < members.size(); i++) {
                Number value = members.get(i).values().get(step);
                if (value != null) {
                    candidates.add(new Candidate(i, value));
                }
            }
            candidates.stream().sorted(Comparator.comparing(Candidate::value, ArithmeticOperator::compare).reversed())
                    .limit(count)
                    .forEach(candidate -> kept.get(candidate.member()).set(at, candidate.value()));
        }
        List<Series> largest = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            largest.add(members.get(i).with(kept.get(i)));
        }
        Comparator<Series> order = Comparator.comparing(series -> series.values().get(0),
                Comparator.nullsFirst(ArithmeticOperator::compare));
        Stream<Series> present = largest.stream().filter(series -> series.size() > 0);
        // A table shows the largest first; over time each series has its own moments.
        return (steps == 1 ? present.sorted(order.reversed()) : present).toList();
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

    /** Orders sets of labels: by the first label, name or value, that differs. */
    private static int compareLabels(SortedMap<String, String> a, SortedMap<String, String> b) {
        Iterator<String> rest = flat(b).iterator();
        for (String text : flat(a)) {
            int order = rest.hasNext() ? text.compareTo(rest.next()) : 1;
            if (order != 0) {
                return order;
            }
        }
        return rest.hasNext() ? -1 : 0;
    }

    private static List<String> flat(SortedMap<String, String> labels) {
        List<String> flat = new ArrayList<>();
        labels.forEach((name, value) -> flat.addAll(List.of(name, value)));
        return flat;
    }

    /**
     * A series of values.
     *
     * @param labels its labels, of which none is empty; the name among them, if it has one
     * @param values one for each evaluation time, as in a {@link Expression.Literal}; null where there is none
     */
    public record Series(SortedMap<String, String> labels, List<? extends @Nullable Number> values) {

        /** The number of values that are not null. */
        public int size() {
            return (int) values.stream().filter(value -> value != null).count();
        }

        /** The same with each value replaced, or left out where the function gives null. */
        Series mapped(Function<Number, @Nullable Number> function) {
            List<@Nullable Number> mapped = new ArrayList<>(values.size());
            values.forEach(value -> mapped.add(value == null ? null : function.apply(value)));
            return with(mapped);
        }

        Series unnamed() {
            SortedMap<String, String> unnamed = new TreeMap<>(labels);
            unnamed.remove(PromQl.NAME);
            return new Series(unnamed, values);
        }

        Series with(List<@Nullable Number> others) {
            return new Series(labels, others);
        }
    }
}
