package dev.windrow.dataset;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of measures. Each is a commutative and associative way to combine two values, so that additions may be
 * applied in any order and buckets of any granularity, key shard or page may be merged.
 */
public enum MeasureKind {

    /** How many events. */
    COUNT,
    /** The sum of an attribute. */
    SUM,
    /** The smallest value of an attribute. */
    MIN,
    /** The largest value of an attribute. */
    MAX,
    /** The value at the earliest event time; of several at that time, the smallest. */
    FIRST,
    /** The value at the latest event time; of several at that time, the largest. */
    LAST;

    private static final Comparator<MeasureValue> BY_VALUE = Comparator.comparing(MeasureValue::value);
    private static final Comparator<MeasureValue> BY_TIME = Comparator.comparing(MeasureValue::requiredTime)
            .thenComparing(BY_VALUE);

    /** The kind of that lower-case name, or empty. */
    public static Optional<MeasureKind> parse(String name) {
        for (MeasureKind kind : values()) {
            if (kind.word().equals(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** The name in declarations: {@code count}, {@code sum}, … */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether values add up; all other kinds are idempotent: applying one twice changes nothing. */
    public boolean isAdditive() {
        return this == COUNT || this == SUM;
    }

    /** Whether values carry the time of their event. */
    public boolean isTimed() {
        return this == FIRST || this == LAST;
    }

    /** Combines two values; commutative and associative. */
    public MeasureValue combine(MeasureValue a, MeasureValue b) {
        return switch (this) {
            case COUNT, SUM -> a.plus(b);
            case MIN -> BY_VALUE.compare(a, b) <= 0 ? a : b;
            case MAX -> BY_VALUE.compare(a, b) >= 0 ? a : b;
            case FIRST -> BY_TIME.compare(a, b) <= 0 ? a : b;
            case LAST -> BY_TIME.compare(a, b) >= 0 ? a : b;
        };
    }
}
