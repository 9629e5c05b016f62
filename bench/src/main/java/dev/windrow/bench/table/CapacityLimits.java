package dev.windrow.bench.table;

import java.time.Duration;

/**
 * What one partition key takes.
 *
 * @param writeUnits write units per second
 * @param indexQueue how long the queue of an index partition may become before it throttles the table
 */
public record CapacityLimits(double writeUnits, Duration indexQueue) {

    /** Write units a second that one partition key of a table or index sustains. */
    public static final int PARTITION_WRITE_UNITS = 1_000;

    /** Throttles nothing. */
    public static final CapacityLimits UNLIMITED = new CapacityLimits(1e15, Duration.ZERO);
}
