package dev.windrow.table;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /**
     * Encodes watermarks as text in a lane's item: entries separated by semicolons, their fields by spaces. Fields may be added
     * at the end, as readers skip unknown ones.
     */
    public static final class WatermarkCodec {

        private static final String NEXT = ";";
        private static final String BETWEEN = " ";
        private static final int FIELDS = 4;

        private WatermarkCodec() {
        }

        /** The text of a lane's watermarks; empty if nothing lags. */
        public static String encode(List<Watermark> watermarks) {
            return watermarks.stream().map(watermark -> watermark.granularity() + BETWEEN + watermark.applied() + BETWEEN
                    + watermark.oldestMillis() + BETWEEN + watermark.earliestStart()).collect(Collectors.joining(NEXT));
        }

        /**
         * Decodes the output of {@link #encode}.
         *
         * @throws IllegalArgumentException if the text is anything else
         */
        public static List<Watermark> decode(String text) {
            return text.isEmpty() ? List.of() : Stream.of(text.split(NEXT, -1)).map(WatermarkCodec::watermark).toList();
        }

        private static Watermark watermark(String entry) {
            String[] fields = entry.split(BETWEEN, -1);
            if (fields.length < FIELDS) {
                throw new IllegalArgumentException("expected a granularity and three numbers, found '" + entry + "'");
            }
            return new Watermark(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2]), Long.parseLong(fields[3]));
        }
    }
}
