package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The model's top list of groups.
 *
 * @param places indexes of the label values that form a group
 * @param by the measure to order by
 * @param order desc, asc or magnitude
 * @param n number of groups; {@link #ALL} for all of them, in pages
 * @param least the measure of the threshold; null for none
 * @param atLeast the threshold
 */
record ModelTop(List<Integer> places, ModelMeasure by, String order, int n, @Nullable ModelMeasure least, BigDecimal atLeast) {

    static final int ALL = Integer.MAX_VALUE;

    static List<Integer> whole(int size) {
        return IntStream.range(0, size).boxed().toList();
    }

    private List<String> group(List<String> label) {
        return places.stream().map(label::get).toList();
    }

    private record Ranked(List<String> group, BigDecimal number) {
    }

    List<List<String>> groups(Collection<ModelEvent> events) {
        return groups(events, by::total);
    }

    /** Only those with a value, even if a count or sum of nothing is zero. */
    List<List<String>> withValue(Collection<ModelEvent> events) {
        return groups(events, by::shown);
    }

    private List<List<String>> groups(Collection<ModelEvent> events,
            Function<Collection<ModelEvent>, Optional<BigDecimal>> value) {
        List<Ranked> ranked = new ArrayList<>();
        grouped(events).forEach((group, of) -> {
            if (isListed(of)) {
                value.apply(of).ifPresent(number -> ranked.add(new Ranked(group, number)));
            }
        });
        return first(ranked);
    }

    List<List<String>> movers(Collection<ModelEvent> now, Collection<ModelEvent> then) {
        Map<List<String>, List<ModelEvent>> after = grouped(now);
        Map<List<String>, List<ModelEvent>> before = grouped(then);
        Set<List<String>> all = new HashSet<>(after.keySet());
        all.addAll(before.keySet());
        List<Ranked> ranked = new ArrayList<>();
        for (List<String> group : all) {
            List<ModelEvent> a = after.getOrDefault(group, List.of());
            List<ModelEvent> b = before.getOrDefault(group, List.of());
            Optional<BigDecimal> x = by.total(a);
            Optional<BigDecimal> y = by.total(b);
            if ((isListed(a) || isListed(b)) && x.isPresent() && y.isPresent()) {
                ranked.add(new Ranked(group, x.get().subtract(y.get())));
            }
        }
        return first(ranked);
    }

    /** The number by which a group is ordered; it must have one. */
    BigDecimal number(List<String> group, Collection<ModelEvent> events) {
        return by.total(events.stream().filter(event -> isOf(group, event.label())).toList()).orElseThrow();
    }

    ModelTop inPages() {
        return new ModelTop(places, by, order, ALL, least, atLeast);
    }

    boolean isOf(List<String> group, List<String> label) {
        return group(label).equals(group);
    }

    /** The request parameters: alternating names and values. */
    List<String> parameters(List<String> declared) {
        List<String> parameters = new ArrayList<>(List.of("by", by.name()));
        if (n < ALL) {
            parameters.addAll(List.of("n", Integer.toString(n)));
        }
        if (!places.equals(whole(declared.size()))) {
            places.forEach(place -> parameters.addAll(List.of("groupBy", declared.get(place))));
        }
        if (least != null) {
            parameters.addAll(List.of("least", least.name() + ":" + atLeast.toPlainString()));
        }
        return parameters;
    }

    private boolean isListed(List<ModelEvent> events) {
        return least == null || least.total(events).filter(value -> value.compareTo(atLeast) >= 0).isPresent();
    }

    private List<List<String>> first(List<Ranked> ranked) {
        Comparator<Ranked> number = switch (order) {
            case "asc" -> Comparator.comparing(Ranked::number);
            case "desc" -> Comparator.comparing(Ranked::number).reversed();
            default -> Comparator.comparing((Ranked group) -> group.number().abs()).reversed();
        };
        return ranked.stream().sorted(number.thenComparing(Ranked::group, ReferenceModel.LABEL_ORDER)).limit(n)
                .map(Ranked::group).toList();
    }

    private Map<List<String>, List<ModelEvent>> grouped(Collection<ModelEvent> events) {
        Map<List<String>, List<ModelEvent>> groups = new HashMap<>();
        events.forEach(event -> groups.computeIfAbsent(group(event.label()), absent -> new ArrayList<>())
                .add(event));
        return groups;
    }
}
