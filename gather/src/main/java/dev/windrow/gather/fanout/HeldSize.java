package dev.windrow.gather.fanout;

import java.util.List;

import dev.windrow.gather.plan.MeasureValues;

/**
 * Estimates of the memory that an answer holds, in bytes. They are slightly high to allow for lists that are picked from
 * it: 3 measures of a label of 28 characters were measured at 450 bytes.
 */
public final class HeldSize {

    /** Entries of maps, lists and keys. */
    private static final long FIXED = 250;
    /** A character may take two bytes, and a bucket's position contains its label once more. */
    private static final long PER_CHARACTER = 4;
    private static final long PER_MEASURE = 80;
    private static final long PER_SAMPLE = 200;

    /** Measures of a label, or of one of its buckets. */
    public static long of(List<String> label, MeasureValues values) {
        return ofLabel(label) + PER_MEASURE * values.values().size();
    }

    public static long ofLabel(List<String> label) {
        long characters = 0;
        for (String value : label) {
            characters += value.length();
        }
        return FIXED + PER_CHARACTER * characters;
    }

    /** Samples of a series, without its label. */
    public static long ofSamples(long samples) {
        return PER_SAMPLE * samples;
    }
}
