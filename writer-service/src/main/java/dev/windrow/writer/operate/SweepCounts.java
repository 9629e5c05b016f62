package dev.windrow.writer.operate;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Item counts by dataset. */
final class SweepCounts {

    private final SortedMap<String, Long> items = new TreeMap<>();

    void add(String dataset) {
        items.merge(dataset, 1L, Long::sum);
    }

    void clear() {
        items.clear();
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    @Override
    public String toString() {
        return items.isEmpty() ? "nothing"
                : items.entrySet().stream().map(entry -> entry.getValue() + (entry.getValue() == 1 ? " item" : " items")
                        + " of dataset " + entry.getKey()).collect(Collectors.joining(", "));
    }
}
