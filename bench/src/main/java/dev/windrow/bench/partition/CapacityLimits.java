package dev.windrow.bench.partition;

import java.time.Duration;

import dev.windrow.table.AwsLimits;

/**
 * What one partition key takes.
 *
 * @param writeUnits write units per second
 * @param readUnits read units per second
 * @param burst unused capacity that is kept, 0 for none
 * @param indexQueue how long the queue of one index partition may become before it throttles the table; 0 lets the index
 *        throttle at once
 */
public record CapacityLimits(double writeUnits, double readUnits, Duration burst, Duration indexQueue) {

    /** Burst that the service keeps. */
    public static final Duration SERVICE_BURST = Duration.ofMinutes(5);

    /** 1,000 write and 3,000 read units, no burst, no queue: the strictest reading of the service's limits. */
    public static final CapacityLimits STRICT = new CapacityLimits(AwsLimits.PARTITION_WRITE_UNITS, AwsLimits.PARTITION_READ_UNITS,
            Duration.ZERO, Duration.ZERO);

    /** The same with a queue before each index partition. */
    public CapacityLimits withIndexQueue(Duration queue) {
        return new CapacityLimits(writeUnits, readUnits, burst, queue);
    }

    /** The same with a burst. */
    public CapacityLimits withBurst(Duration kept) {
        return new CapacityLimits(writeUnits, readUnits, kept, indexQueue);
    }
}
