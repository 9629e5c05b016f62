package dev.windrow.writer.journal.lane;

import java.util.List;

/** What lanes show about the buckets of a granularity. */
public final class Freshness {

    private Freshness() {
    }

    /**
     * Up to when claims are in the buckets of a granularity.
     *
     * @param lanes all lanes, read before the buckets and strongly consistent
     * @param granularity its name
     * @param readMillis when they were read, in milliseconds since the epoch
     * @return milliseconds since the epoch: everything claimed before is in the buckets
     */
    public static long asOf(List<Lane> lanes, String granularity, long readMillis) {
        long asOf = readMillis;
        for (Lane lane : lanes) {
            for (Watermark watermark : lane.watermarks()) {
                if (watermark.granularity().equals(granularity)) {
                    asOf = Math.min(asOf, watermark.oldestMillis());
                }
            }
        }
        return asOf;
    }
}
