package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.windrow.gather.model.ModelCalendar;
import dev.windrow.gather.model.ModelDataset;
import dev.windrow.gather.model.ModelEvent;
import dev.windrow.gather.model.ModelMeasure;
import dev.windrow.gather.model.ModelRange;
import dev.windrow.gather.prometheus.PromQuestion.Operation;
import dev.windrow.gather.prometheus.PromQuestion.Vector;

/**
 * A selection of one metric in PromQL with the functions around it, and its value computed from lists of events.
 *
 * @param function increase, rate, …; empty for a selector by itself
 * @param window how far back, if there is a function
 * @param offset how much earlier; negative for later, zero for none
 * @param matchers the matchers by index of the label, at most one each
 * @param wrap sum, min, max, avg, count, topk or nothing around it
 * @param by labels that an aggregation keeps
 * @param factor a number to multiply by afterwards; one for none
 * @param now the time of the query, which decides what has expired
 */
record PromSelection(ModelDataset dataset, String tenant, ModelMeasure measure, String function, Duration window,
        Duration offset, Map<Integer, Match> matchers, String wrap, Set<Integer> by, BigDecimal factor,
        Instant now) implements Vector {

    private static final int K = 2;

    /**
     * A matcher.
     *
     * @param text operator and value in PromQL
     * @param value the value that the label must be equal to; empty for any other matcher
     * @param equal whether it matches one value only
     * @param meaning whether a value matches
     */
    record Match(String text, String value, boolean equal, Predicate<String> meaning) {
    }

    @Override
    public String text() {
        String selector = metric() + matchers.entrySet().stream()
                .map(matcher -> dataset.label().get(matcher.getKey()) + matcher.getValue().text())
                .collect(Collectors.joining(", ", "{", "}"));
        String moved = offset.isZero() ? "" : " offset " + offset.toSeconds() + "s";
        String selected = function.isEmpty()
                ? selector + moved
                : function + "(" + selector + "[" + window.toSeconds() + "s]" + moved + ")";
        String names = by.stream().map(dataset.label()::get).collect(Collectors.joining(","));
        String wrapped = switch (wrap) {
            case "" -> selected;
            case "topk" -> "topk by (" + names + ") (" + K + ", " + selected + ")";
            default -> wrap + "(" + selected + ") by (" + names + ")";
        };
        return isPlain() ? wrapped : wrapped + " * " + factor.toPlainString();
    }

    /** The name of the metric, which has no dashes. */
    private String metric() {
        return "windrow_" + dataset.name().replace('-', '_') + "_" + measure.name();
    }

    /** Without a factor, the precedence is higher than any operator's. */
    @Override
    public int precedence() {
        return isPlain() ? Vector.super.precedence() : Operation.precedence("*");
    }

    @Override
    public List<String> absentLabels() {
        return !function.isEmpty() || !wrap.isEmpty() || !isPlain() ? List.of()
                : matchers.entrySet().stream().sorted(Map.Entry.comparingByKey())
                        .filter(matcher -> !matcher.getValue().value().isEmpty())
                        .flatMap(matcher -> Stream.of(dataset.label().get(matcher.getKey()), matcher.getValue().value()))
                        .toList();
    }

    @Override
    public Map<List<String>, BigDecimal> at(Instant time) {
        boolean fused = wrap.equals("sum") && measure.isAdditive();
        SortedMap<List<String>, List<ModelEvent>> groups = new TreeMap<>(PromQuestion.LABELS);
        for (ModelEvent event : before(time.minus(offset))) {
            groups.computeIfAbsent(labels(event.label(), fused ? by : all()), absent -> new ArrayList<>()).add(event);
        }
        SortedMap<List<String>, BigDecimal> values = new TreeMap<>(PromQuestion.LABELS);
        groups.forEach((labels, events) -> value(events).ifPresent(value -> values.put(labels, value)));
        Map<List<String>, BigDecimal> wrapped = fused || wrap.isEmpty() ? values : wrapped(values);
        Map<List<String>, BigDecimal> result = new HashMap<>();
        boolean named = (function.isEmpty() || function.equals("last_over_time")) && isPlain()
                && (wrap.isEmpty() || wrap.equals("topk"));
        wrapped.forEach((labels, value) -> result.put(named ? withName(labels) : labels,
                isPlain() ? value : value.multiply(factor, PromQuestion.DIGITS)));
        return result;
    }

    private boolean isPlain() {
        return factor.compareTo(BigDecimal.ONE) == 0;
    }

    private List<String> withName(List<String> labels) {
        List<String> named = new ArrayList<>(List.of("__name__", metric()));
        named.addAll(labels);
        return named;
    }

    private Set<Integer> all() {
        return IntStream.range(0, dataset.label().size()).boxed().collect(Collectors.toSet());
    }

    private List<ModelEvent> before(Instant time) {
        boolean inTable = IntStream.range(0, dataset.partition())
                .allMatch(i -> matchers.containsKey(i) && matchers.get(i).equal());
        Instant end = time.isAfter(ModelCalendar.END) ? ModelCalendar.END : time;
        Instant begin = function.isEmpty() || time.minus(window).isBefore(ModelRange.BEGIN) ? ModelRange.BEGIN
                : time.minus(window);
        ModelRange range = dataset.window(inTable ? dataset.granularities() : dataset.index(), new ModelRange(begin, end), now);
        return dataset.of(tenant).stream().filter(event -> range.holds(event.time()))
                .filter(event -> matchers.entrySet().stream()
                        .allMatch(matcher -> matcher.getValue().meaning().test(event.label().get(matcher.getKey()))))
                .toList();
    }

    private List<String> labels(List<String> values, Set<Integer> kept) {
        return kept.stream().sorted().filter(i -> !values.get(i).isEmpty())
                .flatMap(i -> List.of(dataset.label().get(i), values.get(i)).stream()).toList();
    }

    private Optional<BigDecimal> value(List<ModelEvent> events) {
        // Where a bucket exists, what it lacks of a count or sum is zero.
        Optional<BigDecimal> value = measure.total(events);
        return function.equals("rate")
                ? value.map(shown -> shown.divide(BigDecimal.valueOf(window.toSeconds()), MathContext.DECIMAL128))
                : value;
    }

    private Map<List<String>, BigDecimal> wrapped(SortedMap<List<String>, BigDecimal> values) {
        Map<List<String>, SortedMap<List<String>, BigDecimal>> groups = new HashMap<>();
        values.forEach((labels, value) -> groups.computeIfAbsent(kept(labels), absent -> new TreeMap<>(PromQuestion.LABELS))
                .put(labels, value));
        Map<List<String>, BigDecimal> wrapped = new HashMap<>();
        groups.forEach((group, members) -> {
            switch (wrap) {
                case "sum" -> wrapped.put(group, members.values().stream().reduce(BigDecimal::add).orElseThrow());
                case "min" -> wrapped.put(group, members.values().stream().reduce(BigDecimal::min).orElseThrow());
                case "max" -> wrapped.put(group, members.values().stream().reduce(BigDecimal::max).orElseThrow());
                case "count" -> wrapped.put(group, BigDecimal.valueOf(members.size()));
                case "avg" -> wrapped.put(group, members.values().stream().reduce(BigDecimal::add).orElseThrow()
                        .divide(BigDecimal.valueOf(members.size()), MathContext.DECIMAL128));
                default -> members.entrySet().stream()
                        .sorted(Map.Entry.<List<String>, BigDecimal> comparingByValue().reversed()).limit(K)
                        .forEach(member -> wrapped.put(member.getKey(), member.getValue()));
            }
        });
        return wrapped;
    }

    private List<String> kept(List<String> labels) {
        List<String> names = by.stream().map(dataset.label()::get).toList();
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < labels.size(); i += 2) {
            if (names.contains(labels.get(i))) {
                kept.addAll(labels.subList(i, i + 2));
            }
        }
        return kept;
    }
}
