package dev.windrow.table;

/**
 * How far the buckets of a granularity lag behind a lane's claims.
 *
 * @param applied all records up to this position are in the buckets of the granularity
 * @param oldestMillis when the next record was claimed, in milliseconds since the epoch by its writer's clock
 * @param earliestStart buckets that start earlier lack nothing, in seconds since the epoch
 */
public record Watermark(String granularity, long applied, long oldestMillis, long earliestStart) {

    /** The earliest start if it is unknown which buckets lag: any may. */
    public static final long ANY_START = Long.MIN_VALUE;
}
