package dev.windrow.local.fault;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a proxy has seen and done; read at any time, from any thread. */
public final class ProxyAudit {

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> faults = new ConcurrentHashMap<>();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder abandoned = new LongAdder();

    /** Requests of an operation that came in whole. */
    public long requests(String operation) {
        return count(requests, operation);
    }

    public Map<String, Long> requests() {
        return snapshot(requests);
    }

    /** Faults of a kind, {@code pass} among them. */
    public long faults(String kind) {
        return count(faults, kind);
    }

    /** Faults by kind; the kind {@code target-lost} counts requests that the server itself did not answer. */
    public Map<String, Long> faults() {
        return snapshot(faults);
    }

    /** Requests that wait for their answer now: an abandoned one counts no more, though the server may still work on it. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Requests whose client went away before it had an answer. */
    public long abandoned() {
        return abandoned.sum();
    }

    @Override
    public String toString() {
        return "requests " + requests() + ", faults " + faults() + ", abandoned " + abandoned();
    }

    void began(String operation) {
        requests.computeIfAbsent(operation, key -> new LongAdder()).increment();
        inFlight.incrementAndGet();
    }

    void injected(String kind) {
        faults.computeIfAbsent(kind, key -> new LongAdder()).increment();
    }

    void ended(boolean byClient) {
        inFlight.decrementAndGet();
        if (byClient) {
            abandoned.increment();
        }
    }

    private static long count(Map<String, LongAdder> counters, String key) {
        LongAdder counter = counters.get(key);
        return counter == null ? 0 : counter.sum();
    }

    private static Map<String, Long> snapshot(Map<String, LongAdder> counters) {
        Map<String, Long> sums = new TreeMap<>();
        counters.forEach((key, counter) -> sums.put(key, counter.sum()));
        return sums;
    }
}
