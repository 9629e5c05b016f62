package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Arithmetic;
import dev.windrow.gather.prometheus.Expression.ArithmeticOperator;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.TopK;

/** Computes an expression from the series that its selection found. */
public final class Evaluator {

    private final List<Series> selected;
    private final Runnable check;

    /**
     * @param selected the series of the expression's selection
     * @param check is run after each operator, as there may be many over many values; throws if there is no time for more
     */
    public Evaluator(List<Series> selected, Runnable check) {
        this.selected = selected;
        this.check = check;
    }

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
        if (expression instanceof Selection) {
            return selected.stream().sorted(Comparator.comparing(Series::labels, Evaluator::compareLabels)).toList();
        }
        if (expression instanceof Aggregation aggregation) {
            return aggregated(aggregation);
        }
        if (expression instanceof TopK top) {
            return top(top);
        }
        if (expression instanceof Arithmetic arithmetic) {
            return calculated(arithmetic);
        }
        throw new IllegalArgumentException("no vector: " + expression);
    }

    private List<Series> calculated(Arithmetic arithmetic) {
        if (arithmetic.left() instanceof Literal left) {
            return series(arithmetic.right()).stream()
                    .map(series -> series.mapped(value -> arithmetic.operator().apply(left.number(), value))).toList();
        }
        if (arithmetic.right() instanceof Literal right) {
            return series(arithmetic.left()).stream()
                    .map(series -> series.mapped(value -> arithmetic.operator().apply(value, right.number()))).toList();
        }
        throw new IllegalArgumentException("the parser computes numbers: " + arithmetic);
    }

    private List<Series> aggregated(Aggregation aggregation) {
        BinaryOperator<Number> operator = switch (aggregation.operator()) {
            case SUM -> Evaluator::sum;
            case MIN -> (a, b) -> isLess(b, a) ? b : a;
            case MAX -> BinaryOperator.maxBy(ArithmeticOperator::compare);
        };
        List<Series> results = new ArrayList<>();
        groups(aggregation.by(), series(aggregation.of())).forEach((labels, members) -> {
            List<@Nullable Number> values = new ArrayList<>();
            for (int step = 0; step < members.get(0).values().size(); step++) {
                Number result = null;
                for (Series member : members) {
                    Number value = member.values().get(step);
                    result = result == null ? value : value == null ? result : operator.apply(result, value);
                }
                values.add(result);
            }
            results.add(new Series(labels, values));
        });
        return results;
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

        Series with(List<@Nullable Number> others) {
            return new Series(labels, others);
        }
    }
}
