package dev.windrow.bench.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.partition.Demand;

/** Counts the requests to a table and what they cost. Safe to read from other threads. */
public final class Meter {

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> indexed = new ConcurrentHashMap<>();
    private final LongAdder throttled = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final DoubleAdder units = new DoubleAdder();
    private final LongAccumulator maxLagNanos = new LongAccumulator(Math::max, 0);

    /**
     * What was counted so far.
     *
     * @param requests by operation, throttled ones included
     * @param throttled requests answered with a throttling error
     * @param writes items written
     * @param indexed items written that are in the index (upserts of buckets), by the index partition
     * @param units write units of table and index
     * @param maxLag maximum wait of an index entry since the start
     */
    public record Reading(Map<String, Long> requests, long throttled, long writes, Map<String, Long> indexed, double units,
            Duration maxLag) {

        /** Items written that are in the index: upserts of buckets. */
        public long upserts() {
            return indexed.values().stream().mapToLong(Long::longValue).sum();
        }

        /** What was counted between an earlier reading and this one. */
        public Reading since(Reading earlier) {
            return new Reading(difference(requests, earlier.requests), throttled - earlier.throttled, writes - earlier.writes,
                    difference(indexed, earlier.indexed), units - earlier.units, maxLag);
        }

        private static Map<String, Long> difference(Map<String, Long> now, Map<String, Long> earlier) {
            Map<String, Long> difference = new TreeMap<>(now);
            earlier.forEach((key, count) -> difference.merge(key, -count, Long::sum));
            return difference;
        }
    }

    void request(String operation) {
        requests.computeIfAbsent(operation, key -> new LongAdder()).increment();
    }

    void throttled() {
        throttled.increment();
    }

    void admitted(List<Demand> demands, Duration lag) {
        demands.forEach(demand -> units.add(demand.units()));
        maxLagNanos.accumulate(lag.toNanos());
    }

    void wrote(@Nullable String indexPartitionKey) {
        writes.increment();
        if (indexPartitionKey != null) {
            indexed.computeIfAbsent(indexPartitionKey, key -> new LongAdder()).increment();
        }
    }

    /** What was counted so far. */
    public Reading read() {
        return new Reading(sums(requests), throttled.sum(), writes.sum(), sums(indexed), units.sum(),
                Duration.ofNanos(maxLagNanos.get()));
    }

    private static Map<String, Long> sums(Map<String, LongAdder> counts) {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((key, count) -> sums.put(key, count.sum()));
        return sums;
    }
}
