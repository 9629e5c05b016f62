package dev.windrow.bench.partition;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.windrow.bench.partition.Admission.Admitted;
import dev.windrow.bench.partition.Admission.Throttled;

/**
 * Write capacity of every partition key of a table and its indexes.
 * <p>
 * Rules: "A partition can handle 3000 RCU and 1000 WCU - therefore each partition key also has these limits" (seed "AWS
 * and other interesting stuff", Partitions); "if a global secondary index has insufficient write capacity, then the write
 * activity on the table will be throttled" (seed "Global Secondary Indexes", Provisioned Throughput Considerations). The
 * worst case is modelled: the service may put several keys on one partition, or one key with many sort keys on several;
 * here each key has exactly one partition's capacity.
 * <p>
 * Not thread-safe: the server's event loop is its only user.
 */
public final class PartitionModel {

    private final CapacityLimits limits;
    private final LongSupplier nanos;
    private final Map<Resource, TokenBucket> writes = new HashMap<>();

    /**
     * @param limits of each key
     * @param nanos the model's time in nanoseconds, which may run slower or faster than the wall's
     */
    public PartitionModel(CapacityLimits limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
    }

    /** Takes all write units of one request, or none. */
    public Admission write(List<Demand> demands) {
        long now = nanos.getAsLong();
        Map<Resource, Double> sums = new HashMap<>();
        for (Demand demand : demands) {
            sums.merge(demand.resource(), demand.units(), Double::sum);
        }
        for (Map.Entry<Resource, Double> sum : sums.entrySet()) {
            double debt = sum.getKey().isIndex() ? limits.writeUnits() * seconds(limits.indexQueue()) : 0;
            if (writes(sum.getKey(), now).available(now) + debt < sum.getValue()) {
                return new Throttled(sum.getKey());
            }
        }
        Duration lag = Duration.ZERO;
        for (Map.Entry<Resource, Double> sum : sums.entrySet()) {
            TokenBucket bucket = writes(sum.getKey(), now);
            bucket.take(sum.getValue(), now);
            Duration debt = bucket.debt(now);
            lag = debt.compareTo(lag) > 0 ? debt : lag;
        }
        return new Admitted(lag);
    }

    private TokenBucket writes(Resource resource, long now) {
        return writes.computeIfAbsent(resource, key -> new TokenBucket(limits.writeUnits(), now));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
