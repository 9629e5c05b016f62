package dev.windrow.bench.table;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Write capacity of every partition key of a table and its index.
 * <p>
 * Rules: "A partition can handle 3000 RCU and 1000 WCU - therefore each partition key also has these limits" (seed "AWS
 * and other interesting stuff", Partitions); "if a global secondary index has insufficient write capacity, then the write
 * activity on the table will be throttled" (seed "Global Secondary Indexes", Provisioned Throughput Considerations). The
 * worst case is modeled: the service may put several keys on one partition, or one key with many sort keys on several;
 * here each key has exactly one partition's capacity, and saves up a second's units, not the service's five minutes.
 * Not thread-safe.
 */
public final class PartitionModel {

    private static final long SECOND = 1_000_000_000;

    private final CapacityLimits limits;
    private final LongSupplier nanos;
    /** When each key will have saved up a second's units; while that is more than a second away, it drains its queue. */
    private final Map<Resource, Long> fullAt = new HashMap<>();

    /**
     * Whether a request may be applied.
     *
     * @param throttledBy the partition key that is out of capacity, then nothing was taken; null if it may
     * @param indexLag how long its slowest index entry waits in the queue of its partition
     */
    public record Admission(@Nullable Resource throttledBy, Duration indexLag) {
    }

    /**
     * @param limits of each key
     * @param nanos the model's time in nanoseconds, which may run slower or faster than the wall's
     */
    public PartitionModel(CapacityLimits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
    }

    /** Takes all write units of one request, or none. */
    public Admission write(Map<Resource, Double> units) {
        long now = nanos.getAsLong();
        long lag = 0;
        Map<Resource, Long> taken = new HashMap<>();
        for (Map.Entry<Resource, Double> wanted : units.entrySet()) {
            Resource resource = wanted.getKey();
            long full = Math.max(now, fullAt.getOrDefault(resource, now))
                    + (long) (wanted.getValue() * SECOND / limits.writeUnits());
            long debt = full - now - SECOND;
            if (debt > (resource.isIndex() ? limits.indexQueue().toNanos() : 0)) {
                return new Admission(resource, Duration.ZERO);
            }
            lag = Math.max(lag, debt);
            taken.put(resource, full);
        }
        fullAt.putAll(taken);
        return new Admission(null, Duration.ofNanos(lag));
    }
}
