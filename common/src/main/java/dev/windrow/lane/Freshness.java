package dev.windrow.lane;

import java.util.List;
import java.util.OptionalLong;

/**
 * How fresh buckets are, as lanes show it that were read before the buckets.
 *
 * @param readMillis when the first lane was read, in milliseconds since the epoch
 * @param watermarks of all lanes, read with strong consistency
 */
public record Freshness(long readMillis, List<Watermark> watermarks) {

    public Freshness {
        watermarks = List.copyOf(watermarks);
    }

    /**
     * Up to when claims are in the buckets of a granularity.
     *
     * @param granularity its name
     * @param before end of the range of bucket starts, exclusive, in seconds since the epoch
     * @return milliseconds since the epoch: everything claimed before is in the buckets that start before the end
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

    /** The earliest bucket start of a granularity that may lack something, in seconds; empty if none does. */
    public OptionalLong lagsFrom(String granularity) {
        return watermarks.stream().filter(watermark -> watermark.granularity().equals(granularity))
                .mapToLong(Watermark::earliestStart).min();
    }
}
