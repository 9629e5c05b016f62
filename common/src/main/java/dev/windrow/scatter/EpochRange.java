package dev.windrow.scatter;

import java.time.Instant;

/**
 * The part of a range of bucket starts that lies in one epoch.
 *
 * @param from first start, inclusive
 * @param to exclusive
 * @param width number of shards to read
 */
public record EpochRange(Instant from, Instant to, int width) {
}
