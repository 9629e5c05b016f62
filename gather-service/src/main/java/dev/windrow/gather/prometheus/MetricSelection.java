package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import dev.windrow.gather.promql.LabelMatcher;
import dev.windrow.gather.promql.Selector;
import dev.windrow.gather.promql.ValuePattern;

/**
 * Which series of a metric are read, and what is left of their labels.
 *
 * @param metric the metric
 * @param matchers for each of its labels, all that a value must match
 * @param kept indexes of the labels that are left, ascending
 * @param possible whether any series can match; none does that lacks a label which must have a value
 */
public record MetricSelection(Metric metric, List<List<LabelMatcher>> matchers, List<Integer> kept, boolean possible) {

    /** @param by names of the labels that are left; empty for all */
    public static MetricSelection of(Metric metric, Selector selector, Optional<Set<String>> by) {
        List<String> labels = metric.labels();
        List<List<LabelMatcher>> matchers = labels.stream()
                .map(label -> selector.labels().stream().filter(matcher -> matcher.label().equals(label)).toList()).toList();
        List<Integer> kept = IntStream.range(0, labels.size())
                .filter(index -> by.isEmpty() || by.get().contains(labels.get(index))).boxed().toList();
        boolean possible = selector.labels().stream().filter(matcher -> !labels.contains(matcher.label()))
                .allMatch(matcher -> matcher.matches(""));
        return new MetricSelection(metric, matchers, kept, possible);
    }

    /** Whether a series is selected, by the values of its labels, or of the first of them that are in use. */
    boolean matches(List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (!matchers.get(i).stream().allMatch(matcher -> matcher.matches(value))) {
                return false;
            }
        }
        return true;
    }

    /** The values of the labels that are left. */
    List<String> kept(List<String> values) {
        return kept.stream().map(values::get).toList();
    }

    /** How many of the metric's first labels are needed to find series and to tell them apart. */
    int labelsUsed() {
        int used = kept.isEmpty() ? 0 : kept.get(kept.size() - 1) + 1;
        for (int i = used; i < matchers.size(); i++) {
            used = matchers.get(i).isEmpty() ? used : i + 1;
        }
        return used;
    }

    /** The values of the first labels, as far as each must have one: only these series are read. */
    List<String> firstValues() {
        List<String> values = new ArrayList<>();
        for (List<LabelMatcher> label : matchers) {
            Optional<String> value = label.stream().flatMap(matcher -> matcher.single().stream())
                    .filter(pattern -> pattern.rest() == ValuePattern.Rest.NOTHING).map(ValuePattern::text).findFirst();
            if (value.isEmpty()) {
                break;
            }
            values.add(value.get());
        }
        return values;
    }

    /** What the value after these begins with, if it must begin with anything. */
    Optional<String> prefix() {
        int next = firstValues().size();
        return next == matchers.size()
                ? Optional.empty()
                : matchers.get(next).stream().flatMap(matcher -> matcher.single().stream()).map(ValuePattern::text)
                        .filter(text -> !text.isEmpty()).findFirst();
    }

    /** The labels of a series; one with an empty value is none. */
    public SortedMap<String, String> labels(List<String> keptValues) {
        SortedMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < keptValues.size(); i++) {
            if (!keptValues.get(i).isEmpty()) {
                labels.put(metric.labels().get(kept.get(i)), keptValues.get(i));
            }
        }
        return labels;
    }
}
