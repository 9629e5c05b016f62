package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.prometheus.Expression.LabelMatcher;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.table.Label;

/**
 * The series of a metric to read, and the labels to keep.
 *
 * @param matchers for each of its labels, all that a value must match
 * @param kept indexes of the labels to keep, ascending
 * @param possible whether any series can match; false if a label that must have a value does not exist
 */
record MetricSelection(Metrics metric, List<List<LabelMatcher>> matchers, List<Integer> kept, boolean possible) {

    /** @param by names of the labels to keep; empty for all */
    public static MetricSelection of(Metrics metric, Selector selector, Optional<Set<String>> by) {
        List<String> labels = metric.labels();
        List<List<LabelMatcher>> matchers = labels.stream()
                .map(label -> selector.labels().stream().filter(matcher -> matcher.label().equals(label))
                        .filter(matcher -> !matcher.matchesAll()).toList())
                .toList();
        List<Integer> kept = IntStream.range(0, labels.size())
                .filter(index -> by.isEmpty() || by.get().contains(labels.get(index))).boxed().toList();
        boolean possible = selector.labels().stream().filter(matcher -> !labels.contains(matcher.label()))
                .allMatch(matcher -> matcher.matches(""));
        return new MetricSelection(metric, matchers, kept, possible);
    }

    /** Whether a series is selected, by the values of its labels, or of only the first ones in a roll-up. */
    boolean matches(List<String> values) {
        return IntStream.range(0, values.size())
                .allMatch(i -> matchers.get(i).stream().allMatch(matcher -> matcher.matches(values.get(i))));
    }

    Label kept(List<String> values) {
        return Label.of(kept.stream().map(values::get).toArray(String[]::new));
    }

    /** Returns how many of the metric's first labels are needed to find series and to tell them apart. */
    int labelsUsed() {
        return IntStream.range(0, matchers.size()).filter(i -> kept.contains(i) || !matchers.get(i).isEmpty())
                .map(last -> last + 1).max().orElse(0);
    }

    /** Returns the values of the first labels, as long as each must have a single one: only these series are read. */
    List<String> firstValues() {
        return matchers.stream().map(label -> label.stream().flatMap(matcher -> matcher.single().stream())
                .filter(ValuePattern::isWhole).map(ValuePattern::prefix).findFirst())
                .takeWhile(Optional::isPresent).map(Optional::get).toList();
    }

    /** Returns the prefix that the value after these must have, if there is one. */
    Optional<String> prefix() {
        return matchers.stream().skip(firstValues().size()).limit(1).flatMap(List::stream)
                .flatMap(matcher -> matcher.single().stream()).map(ValuePattern::prefix)
                .filter(text -> !text.isEmpty()).findFirst();
    }

    /** Returns the labels of a series, without those that have an empty value. */
    public SortedMap<String, String> labels(Label keptValues) {
        SortedMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < kept.size(); i++) {
            String value = keptValues.values().get(i);
            if (!value.isEmpty()) {
                labels.put(metric.labels().get(kept.get(i)), value);
            }
        }
        return labels;
    }

    /** Returns the series of the measure's value in each window. */
    List<MetricSeries> series(Selection selection, Map<Label, List<@Nullable MeasureValue>> sums) {
        List<MetricSeries> series = new ArrayList<>();
        sums.forEach((values, windows) -> {
            SortedMap<String, String> labels = labels(values);
            // As in Prometheus, values that are shown unchanged keep the name.
            if ((selection.function() == RangeFunction.ALL_TIME || selection.function() == RangeFunction.LAST_OVER_TIME)
                    && selection.sumBy().map(by -> by.contains(PromQl.NAME)).orElse(true)) {
                labels.put(PromQl.NAME, metric.name());
            }
            MetricSeries one = MetricSeries.of(labels, windows.size(), step -> {
                MeasureValue value = windows.get(step);
                return value == null ? null : number(selection, value);
            });
            if (one.size() > 0) {
                series.add(one);
            }
        });
        return series;
    }

    private BigDecimal number(Selection selection, MeasureValue value) {
        BigDecimal shown = metric.measure().shown(value);
        return selection.function() == RangeFunction.RATE
                ? shown.divide(BigDecimal.valueOf(selection.window().toMillis(), 3), MathContext.DECIMAL128)
                : shown;
    }
}
