package dev.windrow.writer.journal.lane;

/**
 * How far buckets of a granularity lag behind what a lane has claimed.
 *
 * @param granularity its name
 * @param applied all records up to this position are in the buckets of that granularity
 * @param oldestMillis when the record after it was claimed, in milliseconds since the epoch by its writer's clock
 */
public record Watermark(String granularity, long applied, long oldestMillis) {
}
