package dev.windrow.bench.table;

import java.time.Duration;

import dev.windrow.table.AwsLimits;

/**
 * What one partition key takes.
 *
 * @param writeUnits write units per second
 * @param indexQueue how long the queue of an index partition may become before it throttles the table
 */
public record CapacityLimits(double writeUnits, Duration indexQueue) {

    /** Throttles nothing. */
    public static final CapacityLimits UNLIMITED = new CapacityLimits(1e15, Duration.ZERO);

    /** 1,000 write units, no burst, no queue: the strictest reading of the service's limits. */
    public static final CapacityLimits STRICT = new CapacityLimits(AwsLimits.PARTITION_WRITE_UNITS, Duration.ZERO);

    /** The same with a queue before each index partition. */
    public CapacityLimits withIndexQueue(Duration queue) {
        return new CapacityLimits(writeUnits, queue);
    }

    /** How many units a partition may lack. */
    double maxDebt(boolean index) {
        return index ? writeUnits * indexQueue.toNanos() / 1e9 : 0;
    }
}
