package dev.windrow.bench.partition;

import java.time.Duration;

/**
 * One applied write.
 *
 * @param at nanoseconds of the model's time
 * @param operation the operation's name
 * @param resource the partition key written to, of the table or an index
 * @param units write units taken of it
 * @param indexLag how long its index entry waited
 */
public record AuditEntry(long at, String operation, Resource resource, double units, Duration indexLag) {
}
