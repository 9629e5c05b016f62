package dev.windrow.gather.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The labels that are queried.
 *
 * @param values the first values of the label
 * @param prefix prefix of the value after them; null for any
 * @param several the first values of each of several labels, instead of both; empty if there is one
 * @param where the allowed values of attributes, by their place in the label
 */
record LabelFilter(List<String> values, @Nullable String prefix, List<List<String>> several,
        SortedMap<Integer, Set<String>> where) {

    static final LabelFilter NONE = new LabelFilter(List.of(), null);

    private static final ObjectMapper JSON = new ObjectMapper();

    LabelFilter(List<String> values, @Nullable String prefix) {
        this(values, prefix, List.of(), new TreeMap<>());
    }

    static LabelFilter anyOf(List<List<String>> several) {
        return new LabelFilter(List.of(), null, several, new TreeMap<>());
    }

    LabelFilter where(SortedMap<Integer, Set<String>> wanted) {
        return new LabelFilter(values, prefix, several, wanted);
    }

    /** The request parameters: alternating names and values. */
    List<String> parameters(List<String> attributes) {
        List<String> parameters = new ArrayList<>();
        values.forEach(value -> parameters.addAll(List.of("label", value)));
        if (prefix != null) {
            parameters.addAll(List.of("prefix", prefix));
        }
        several.forEach(label -> parameters.addAll(List.of("labels", JSON.valueToTree(label).toString())));
        where.forEach((place, wanted) -> wanted
                .forEach(value -> parameters.addAll(List.of("where", attributes.get(place) + ":" + value))));
        return parameters;
    }

    boolean matches(List<String> label) {
        if (!where.entrySet().stream().allMatch(wanted -> wanted.getValue().contains(label.get(wanted.getKey())))) {
            return false;
        }
        return several.isEmpty()
                ? begins(label, values) && (prefix == null || label.get(values.size()).startsWith(prefix))
                : several.stream().anyMatch(first -> begins(label, first));
    }

    /** The number of values that are given for every label. */
    int shortest() {
        return (several.isEmpty() ? longer(values, prefix)
                : several.stream().flatMap(first -> longer(first, null).stream())
                        .toList())
                .stream().mapToInt(List::size).min().orElse(several.stream().mapToInt(List::size).min()
                        .orElse(values.size()));
    }

    /** The first values as answers show them: those that all the labels share. */
    List<String> first() {
        List<List<String>> all = several.isEmpty() ? longer(values, prefix) : List.of();
        return all.size() == 1 ? all.get(0) : values;
    }

    /** Conditions on the values right after a label's first ones are the same as giving these values. */
    private List<List<String>> longer(List<String> first, @Nullable String next) {
        Set<String> wanted = where.getOrDefault(first.size(), Set.of());
        if (wanted.isEmpty()) {
            return List.of(first);
        }
        return wanted.stream().filter(value -> next == null || value.startsWith(next))
                .flatMap(value -> longer(Stream.concat(first.stream(), Stream.of(value)).toList(), null).stream()).toList();
    }

    private static boolean begins(List<String> label, List<String> first) {
        return label.subList(0, first.size()).equals(first);
    }

    static final class FilterGenerator {

        private final RandomGenerator random;
        private final ModelDataset dataset;
        private final List<ModelEvent> events;

        FilterGenerator(RandomGenerator random, ModelDataset dataset, String tenant) {
            this.random = random;
            this.dataset = dataset;
            this.events = dataset.of(tenant);
        }

        /** One label, a prefix, several labels or all, possibly restricted to some values of some attributes. */
        LabelFilter filter() {
            LabelFilter filter = firstValues();
            SortedMap<Integer, Set<String>> where = new TreeMap<>();
            if (filter.several().size() < 5 && random.nextInt(3) == 0) {
                for (int place = 0; place < dataset.label().size(); place++) {
                    int count = random.nextInt(2) * random.nextInt(1, 4);
                    for (int i = 0; i < count; i++) {
                        where.computeIfAbsent(place, absent -> new TreeSet<>()).add(label().get(place));
                    }
                }
            }
            return filter.where(where);
        }

        private LabelFilter firstValues() {
            List<String> label = label();
            int size = dataset.label().size();
            if (size == 0) {
                return LabelFilter.NONE;
            }
            int values = random.nextInt(size);
            String next = label.get(values);
            return switch (random.nextInt(dataset.partition() < size ? 5 : 8)) {
                case 0, 1 -> new LabelFilter(label.subList(0, values + 1), null);
                case 2 -> new LabelFilter(label.subList(0, values),
                        next.substring(0,
                                next.offsetByCodePoints(0, random.nextInt(next.codePointCount(0, next.length()) + 1))));
                case 3 -> several();
                default -> LabelFilter.NONE;
            };
        }

        /** Labels and first values of labels; some may contain others. */
        private LabelFilter several() {
            List<List<String>> several = new ArrayList<>();
            int count = random.nextInt(1, random.nextInt(4) == 0 ? 40 : 5);
            int size = dataset.label().size();
            boolean whole = random.nextBoolean();
            for (int i = 0; i < count; i++) {
                several.add(label().subList(0, whole ? size : random.nextInt(1, size + 1)));
            }
            return LabelFilter.anyOf(several);
        }

        /** Usually an existing one. */
        List<String> label() {
            return events.isEmpty() || random.nextInt(20) == 0
                    ? dataset.label().stream().map(part -> "nobody").toList()
                    : events.get(random.nextInt(events.size())).label();
        }
    }
}
