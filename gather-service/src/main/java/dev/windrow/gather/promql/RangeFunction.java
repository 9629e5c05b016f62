package dev.windrow.gather.promql;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of a series' buckets at one time. */
public enum RangeFunction {

    /** A selector without a range: everything before that time. */
    ALL_TIME,
    /** What a count or sum grew by. */
    INCREASE,
    /** The same per second. */
    RATE,
    /** The smallest value. */
    MIN_OVER_TIME,
    /** The largest value. */
    MAX_OVER_TIME,
    /** The latest value. */
    LAST_OVER_TIME;

    /** Its name in queries. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<RangeFunction> of(String word) {
        return Arrays.stream(values()).filter(function -> function != ALL_TIME && function.word().equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).filter(function -> function != ALL_TIME).map(RangeFunction::word)
                .collect(Collectors.joining(", "));
    }
}
