package dev.windrow.bench.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.table.MemoryTable;
import dev.windrow.bench.table.Outcome;

/** Counts the requests to a table and what they cost. Safe to read from other threads. */
public final class Meter implements MemoryTable.Costs {

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> indexed = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> failed = new ConcurrentHashMap<>();
    private final Map<String, DoubleAdder> units = new ConcurrentHashMap<>();
    private final LongAdder writes = new LongAdder();
    private final LongAccumulator maxLagNanos = new LongAccumulator(Math::max, 0);

    /**
     * What was counted so far.
     *
     * @param requests by operation, failed ones included
     * @param failed requests that failed, by operation and the first reason, separated by a space
     * @param writes items written
     * @param indexed items written that are in the index (upserts of buckets), by the index partition
     * @param unitsOf write units by what was written: buckets, the index, or the first part of another key
     * @param maxLag maximum wait of an index entry since the start
     */
    public record Reading(Map<String, Long> requests, Map<String, Long> failed, long writes, Map<String, Long> indexed,
            Map<String, Double> unitsOf, Duration maxLag) {

        /** Items written that are in the index: upserts of buckets. */
        public long upserts() {
            return indexed.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Write units of table and index. */
        public double units() {
            return unitsOf.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        /** Requests that were throttled. */
        public long throttled() {
            return failed("UpdateItem", Outcome.THROTTLED) + failed("TransactWriteItems", Outcome.THROTTLED);
        }

        /** Requests of an operation that failed for a reason. */
        public long failed(String operation, String code) {
            return failed.getOrDefault(operation + " " + code, 0L);
        }

        /** What was counted between an earlier reading and this one. */
        public Reading since(Reading earlier) {
            Map<String, Double> since = new TreeMap<>(unitsOf);
            earlier.unitsOf.forEach((of, before) -> since.merge(of, -before, Double::sum));
            return new Reading(difference(requests, earlier.requests), difference(failed, earlier.failed),
                    writes - earlier.writes, difference(indexed, earlier.indexed), since, maxLag);
        }

        private static Map<String, Long> difference(Map<String, Long> now, Map<String, Long> earlier) {
            Map<String, Long> difference = new TreeMap<>(now);
            earlier.forEach((key, count) -> difference.merge(key, -count, Long::sum));
            return difference;
        }
    }

    void request(String operation) {
        count(requests, operation);
    }

    void invalid() {
        count(failed, "invalid");
    }

    void outcome(String operation, List<Outcome> outcomes) {
        outcomes.stream().filter(Outcome::isFailed).findFirst()
                .ifPresent(outcome -> count(failed, operation + " " + outcome.code()));
    }

    @Override
    public void charged(List<Demand> demands, Duration lag) {
        for (Demand demand : demands) {
            String key = demand.resource().partitionKey();
            units.computeIfAbsent(demand.resource().isIndex() ? "index"
                    : key.startsWith("~") ? key.replaceFirst("#.*", "") : "bucket", of -> new DoubleAdder())
                    .add(demand.units());
        }
        maxLagNanos.accumulate(lag.toNanos());
    }

    @Override
    public void wrote(String indexPartitionKey) {
        writes.increment();
        if (!indexPartitionKey.isEmpty()) {
            count(indexed, indexPartitionKey);
        }
    }

    /** What was counted so far. */
    public Reading read() {
        Map<String, Double> sums = new TreeMap<>();
        units.forEach((of, count) -> sums.put(of, count.sum()));
        return new Reading(sums(requests), sums(failed), writes.sum(), sums(indexed), sums,
                Duration.ofNanos(maxLagNanos.get()));
    }

    private static void count(Map<String, LongAdder> counts, String key) {
        counts.computeIfAbsent(key, of -> new LongAdder()).increment();
    }

    private static Map<String, Long> sums(Map<String, LongAdder> counts) {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((key, count) -> sums.put(key, count.sum()));
        return sums;
    }
}
