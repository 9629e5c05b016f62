package dev.windrow.quickstart.check;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sums per referrer, kept in plain maps: nothing of Windrow's own aggregation is used, as this is what checks it. */
public final class Totals {

    /**
     * What one referrer adds up to.
     *
     * @param events how many
     * @param bytes their sum
     */
    public record Total(long events, long bytes) {

        Total plus(Total other) {
            return new Total(events + other.events, bytes + other.bytes);
        }
    }

    private final Map<String, Total> byReferrer = new TreeMap<>();

    public void add(String referrer, long events, long bytes) {
        byReferrer.merge(referrer, new Total(events, bytes), Total::plus);
    }

    public Total sum() {
        return byReferrer.values().stream().reduce(new Total(0, 0), Total::plus);
    }

    public int referrers() {
        return byReferrer.size();
    }

    /** The referrers with the highest counts, ties in alphabetical order. */
    public List<Map.Entry<String, Total>> top(int limit) {
        return byReferrer.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, Total> entry) -> -entry.getValue().events())
                        .thenComparing(Map.Entry::getKey))
                .limit(limit).toList();
    }

    /** Up to five lines on where the other totals differ; none if they are equal. */
    public List<String> differences(Totals other) {
        Map<String, Total> all = new TreeMap<>(byReferrer);
        all.putAll(other.byReferrer);
        return all.keySet().stream().filter(referrer -> !of(referrer).equals(other.of(referrer))).limit(5)
                .map(referrer -> referrer + ": sent " + of(referrer) + ", answered " + other.of(referrer)).toList();
    }

    private Total of(String referrer) {
        return byReferrer.getOrDefault(referrer, new Total(0, 0));
    }
}
