package dev.windrow.gather.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Draws which labels of a dataset are queried. */
final class FilterGenerator {

    private final RandomGenerator random;
    private final ModelDataset dataset;
    private final List<ModelEvent> events;

    FilterGenerator(RandomGenerator random, ModelDataset dataset, String tenant) {
        this.random = random;
        this.dataset = dataset;
        this.events = dataset.of(tenant);
    }

    /** One label, those that begin alike, several, or all; perhaps only those with some values of some attributes. */
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
                    next.substring(0, next.offsetByCodePoints(0, random.nextInt(next.codePointCount(0, next.length()) + 1))));
            case 3 -> several();
            default -> LabelFilter.NONE;
        };
    }

    /** Labels, and what labels begin with; some of them may be part of others. */
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
