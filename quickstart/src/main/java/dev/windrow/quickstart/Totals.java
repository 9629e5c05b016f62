package dev.windrow.quickstart;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums by label in plain maps. They check Windrow's aggregation, so they use none of its code. */
final class Totals {

    /**
     * The sums of one label.
     *
     * @param bytes sum of the events' bytes
     */
    record Total(long events, long bytes) {

        Total plus(Total other) {
            return new Total(events + other.events, bytes + other.bytes);
        }
    }

    private static final Total NOTHING = new Total(0, 0);

    private final Map<List<String>, Total> byLabel = new HashMap<>();

    /** @param label its values, the referrer first */
    void add(List<String> label, long events, long bytes) {
        byLabel.merge(List.copyOf(label), new Total(events, bytes), Total::plus);
    }

    Total sum() {
        return byLabel.values().stream().reduce(NOTHING, Total::plus);
    }

    /** Returns the sums by referrer, in alphabetical order. */
    Map<String, Total> byReferrer() {
        Map<String, Total> sums = new TreeMap<>();
        byLabel.forEach((label, total) -> sums.merge(label.get(0), total, Total::plus));
        return sums;
    }

    /** Returns the referrers with the highest counts, ties in alphabetical order. */
    List<Map.Entry<String, Total>> top(int limit) {
        return byReferrer().entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, Total> entry) -> -entry.getValue().events())
                        .thenComparing(Map.Entry::getKey))
                .limit(limit).toList();
    }

    /** Returns up to five lines that say where the other totals differ; none if they are equal. */
    List<String> differences(Totals other) {
        Map<List<String>, Total> all = new HashMap<>(byLabel);
        all.putAll(other.byLabel);
        return all.keySet().stream().filter(label -> !of(label).equals(other.of(label)))
                .sorted(Comparator.comparing(List::toString))
                .limit(5).map(label -> String.join(" ", label) + ": sent " + of(label) + ", answered " + other.of(label))
                .toList();
    }

    private Total of(List<String> label) {
        return byLabel.getOrDefault(label, NOTHING);
    }
}
