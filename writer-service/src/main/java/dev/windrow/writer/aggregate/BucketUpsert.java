package dev.windrow.writer.aggregate;

import dev.windrow.time.Granularity;

/**
 * What is to be added to one bucket item.
 *
 * @param granularity its granularity
 * @param startSecond its start in seconds since the epoch
 * @param totals the sum of the contributions
 */
public record BucketUpsert(Granularity granularity, long startSecond, Totals totals) {
}
