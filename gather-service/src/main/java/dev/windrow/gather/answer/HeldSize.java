package dev.windrow.gather.answer;

import java.util.List;

import dev.windrow.gather.merge.MeasureValues;

/**
 * Estimates of what is held of an answer, in bytes. They are a little high, as lists that are picked from it have parts of
 * their own: 3 measures of a label of 28 characters were measured at 450 bytes.
 */
public final class HeldSize {

    /** Entries of maps, lists and keys. */
    private static final long FIXED = 250;
    /** A character may take two bytes, and a bucket has its label in its position as well. */
    private static final long PER_CHARACTER = 4;
    private static final long PER_MEASURE = 80;
    private static final long PER_SAMPLE = 200;

    private HeldSize() {
    }

    /** Measures of a label, or of one of its buckets. */
    public static long of(List<String> label, MeasureValues values) {
        return ofLabel(label) + PER_MEASURE * values.count();
    }

    /** A label. */
    public static long ofLabel(List<String> label) {
        long characters = 0;
        for (String value : label) {
            characters += value.length();
        }
        return FIXED + PER_CHARACTER * characters;
    }

    /** Samples of a series, besides its label. */
    public static long ofSamples(long samples) {
        return PER_SAMPLE * samples;
    }
}
