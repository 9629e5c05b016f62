package dev.windrow.bench.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Collectors;

import dev.windrow.bench.table.MemoryTable;
import dev.windrow.bench.table.MemoryTable.Resource;

/** Counts the requests to a table and what they cost. Safe to read from other threads. */
public final class Meter implements MemoryTable.Costs {

    private final Map<String, DoubleAdder> counts = new ConcurrentHashMap<>();

    /**
     * What was counted so far.
     *
     * @param counts by kind and name, separated by a space
     */
    public record Reading(Map<String, Double> counts) {

        /** Items written that are in the index (upserts of buckets), by the index partition. */
        public Map<String, Double> indexed() {
            return of("indexed ");
        }

        /** Items written that are in the index. */
        public double upserts() {
            return sum(indexed());
        }

        /** Write units by what was written: {@code bucket}, {@code index}, or the first part of another key. */
        public Map<String, Double> unitsOf() {
            return of("units ");
        }

        /** Write units of table and index. */
        public double units() {
            return sum(unitsOf());
        }

        /** Read units of queries and single items. */
        public double readUnits() {
            return sum(of("read "));
        }

        private Map<String, Double> of(String kind) {
            return counts.entrySet().stream().filter(count -> count.getKey().startsWith(kind))
                    .collect(Collectors.toMap(count -> count.getKey().substring(kind.length()), Map.Entry::getValue));
        }

        private static double sum(Map<String, Double> of) {
            return of.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        /** What was counted between an earlier reading and this one. */
        public Reading since(Reading earlier) {
            Map<String, Double> since = new TreeMap<>(counts);
            earlier.counts.forEach((name, before) -> since.merge(name, -before, Double::sum));
            return new Reading(since);
        }
    }

    void read(double units) {
        count("read units", units);
    }

    @Override
    public void charged(Map<Resource, Double> units) {
        units.forEach((resource, charged) -> count("units " + (resource.isIndex() ? "index"
                : resource.partitionKey().startsWith("~") ? resource.partitionKey().replaceFirst("#.*", "") : "bucket"),
                charged));
    }

    @Override
    public void wrote(String indexPartitionKey) {
        if (!indexPartitionKey.isEmpty()) {
            count("indexed " + indexPartitionKey, 1);
        }
    }

    private void count(String name, double more) {
        counts.computeIfAbsent(name, of -> new DoubleAdder()).add(more);
    }

    /** What was counted so far. */
    public Reading read() {
        Map<String, Double> sums = new TreeMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return new Reading(sums);
    }
}
