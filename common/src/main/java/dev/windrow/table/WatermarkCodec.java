package dev.windrow.table;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Encodes watermarks as text in a lane's item: entries separated by semicolons, their fields by spaces. Fields may be added
 * at the end, as readers skip unknown ones.
 */
public final class WatermarkCodec {

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
