package dev.windrow.gather.range;

import java.time.Instant;

import dev.windrow.time.Granularity;

/**
 * Requested buckets that are no longer kept.
 *
 * @param before the first start that exists
 */
public record Expired(Granularity granularity, Instant before) {
}
