package dev.windrow.scatter;

import java.time.Instant;

/**
 * The part of a range of bucket starts that lies in one epoch.
 *
 * @param from first start, inclusive
 * @param to exclusive
 * @param width shards to ask
 */
public record EpochRange(Instant from, Instant to, int width) {
}
