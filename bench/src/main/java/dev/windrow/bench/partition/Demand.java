package dev.windrow.bench.partition;

/**
 * Capacity that a request needs of one partition key.
 *
 * @param resource whose capacity
 * @param units write or read units
 */
public record Demand(Resource resource, double units) {
}
