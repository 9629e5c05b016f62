package dev.windrow.lane;

/**
 * How far buckets of a granularity lag behind what a lane has claimed.
 *
 * @param granularity its name
 * @param applied all records up to this position are in the buckets of that granularity
 * @param oldestMillis when the record after it was claimed, in milliseconds since the epoch by its writer's clock
 * @param earliestStart no bucket that starts earlier lacks anything, in seconds since the epoch
 */
public record Watermark(String granularity, long applied, long oldestMillis, long earliestStart) {

    /** The earliest start where it is not known which buckets lag: all may. */
    public static final long ANY_START = Long.MIN_VALUE;
}
