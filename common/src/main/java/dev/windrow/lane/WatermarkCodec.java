package dev.windrow.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Watermarks as text in a lane's item: entries separated by semicolons, their fields by spaces. Fields may be added at the
 * end, as readers skip those that they do not know.
 */
public final class WatermarkCodec {

    private static final String NEXT = ";";
    private static final String BETWEEN = " ";
    private static final int FIELDS = 4;

    private WatermarkCodec() {
    }

    /** The text of a lane's watermarks; empty if nothing lags. */
    public static String encode(List<Watermark> watermarks) {
        StringJoiner text = new StringJoiner(NEXT);
        for (Watermark watermark : watermarks) {
            text.add(watermark.granularity() + BETWEEN + watermark.applied() + BETWEEN + watermark.oldestMillis() + BETWEEN
                    + watermark.earliestStart());
        }
        return text.toString();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static List<Watermark> decode(String text) {
        List<Watermark> watermarks = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String entry : text.split(NEXT, -1)) {
                watermarks.add(watermark(entry));
            }
        }
        return watermarks;
    }

    private static Watermark watermark(String entry) {
        String[] fields = entry.split(BETWEEN, -1);
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException("expected a granularity and three numbers, found '" + entry + "'");
        }
        return new Watermark(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2]), Long.parseLong(fields[3]));
    }
}
