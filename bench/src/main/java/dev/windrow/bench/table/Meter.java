package dev.windrow.bench.table;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a table was asked and what it applied. Safe to read from other threads. */
public final class Meter {

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final LongAdder throttled = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder indexedWrites = new LongAdder();
    private final LongAdder conditionsFailed = new LongAdder();
    private final DoubleAdder tableUnits = new DoubleAdder();
    private final DoubleAdder indexUnits = new DoubleAdder();
    private final DoubleAdder readUnits = new DoubleAdder();
    private final LongAccumulator maxLagNanos = new LongAccumulator(Math::max, 0);

    /**
     * What was counted so far.
     *
     * @param requests answered, by operation, throttled ones included
     * @param throttled requests answered with a throttling error
     * @param writes items written
     * @param indexedWrites those of them that have an index entry: upserts of buckets
     * @param conditionsFailed requests whose condition did not hold
     * @param tableUnits write units of the table
     * @param indexUnits write units of the index
     * @param readUnits read units of both
     * @param maxLag longest wait of an index entry
     */
    public record Reading(Map<String, Long> requests, long throttled, long writes, long indexedWrites,
            long conditionsFailed, double tableUnits, double indexUnits, double readUnits, Duration maxLag) {

        /** All requests. */
        public long allRequests() {
            return requests.values().stream().mapToLong(Long::longValue).sum();
        }

        /** What was counted between an earlier reading and this one. */
        public Reading since(Reading earlier) {
            Map<String, Long> asked = new TreeMap<>(requests);
            earlier.requests.forEach((operation, count) -> asked.merge(operation, -count, Long::sum));
            return new Reading(asked, throttled - earlier.throttled, writes - earlier.writes,
                    indexedWrites - earlier.indexedWrites, conditionsFailed - earlier.conditionsFailed,
                    tableUnits - earlier.tableUnits, indexUnits - earlier.indexUnits, readUnits - earlier.readUnits,
                    maxLag);
        }
    }

    void request(String operation) {
        requests.computeIfAbsent(operation, key -> new LongAdder()).increment();
    }

    void throttledRequest() {
        throttled.increment();
    }

    void failedCondition() {
        conditionsFailed.increment();
    }

    void wrote(boolean indexed) {
        writes.increment();
        if (indexed) {
            indexedWrites.increment();
        }
    }

    void took(boolean index, double units) {
        (index ? indexUnits : tableUnits).add(units);
    }

    void read(double units) {
        readUnits.add(units);
    }

    void lagged(Duration lag) {
        maxLagNanos.accumulate(lag.toNanos());
    }

    /** What was counted so far. */
    public Reading read() {
        Map<String, Long> asked = new TreeMap<>();
        requests.forEach((operation, count) -> asked.put(operation, count.sum()));
        return new Reading(asked, throttled.sum(), writes.sum(), indexedWrites.sum(), conditionsFailed.sum(),
                tableUnits.sum(), indexUnits.sum(), readUnits.sum(), Duration.ofNanos(maxLagNanos.get()));
    }
}
