package dev.windrow.table;

import java.util.List;
import java.util.OptionalLong;

/**
 * How fresh buckets are, according to lanes that were read before the buckets.
 *
 * @param readMillis when the first lane was read, in milliseconds since the epoch
 * @param watermarks the watermarks of all lanes, read with strong consistency
 */
public record Freshness(long readMillis, List<Watermark> watermarks) {

    public Freshness {
        watermarks = List.copyOf(watermarks);
    }

    /**
     * Returns the time up to which claims are in the buckets of a granularity.
     *
     * @param before end of the range of bucket starts, exclusive, in seconds since the epoch
     * @return milliseconds since the epoch: everything claimed earlier is in the buckets that start before the end
     */
    public long asOf(String granularity, long before) {
        long asOf = readMillis;
        for (Watermark watermark : watermarks) {
            if (watermark.granularity().equals(granularity) && watermark.earliestStart() < before) {
                asOf = Math.min(asOf, watermark.oldestMillis());
            }
        }
        return asOf;
    }

    /** The earliest bucket start of a granularity that may lack claims, in seconds since the epoch; empty if none lags. */
    public OptionalLong lagsFrom(String granularity) {
        return watermarks.stream().filter(watermark -> watermark.granularity().equals(granularity))
                .mapToLong(Watermark::earliestStart).min();
    }

}
