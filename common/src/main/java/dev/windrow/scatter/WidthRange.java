package dev.windrow.scatter;

import java.time.Instant;

/**
 * A range of bucket starts whose items are in the same number of shards.
 *
 * @param from first start, inclusive
 * @param to end, exclusive
 * @param width number of shards to read
 */
public record WidthRange(Instant from, Instant to, int width) {
}
