package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The kinds of measures, each with everything specific to it: how it is declared, what it takes from an event, how two values
 * combine, which parts of a value are stored, and how it is shown. Combining is always commutative and associative, so that
 * additions may be applied in any order and buckets of any granularity, key shard or page may be merged.
 */
@SuppressWarnings("ImmutableEnumChecker") // Its lists are unmodifiable.
public enum MeasureKind {

    /** The number of events. */
    COUNT(0),
    /** The sum of an attribute. */
    SUM(1),
    /** The smallest value of an attribute. */
    MIN(2, "<", List.of(MeasurePart.VALUE), "min_over_time"),
    /** The largest value of an attribute. */
    MAX(3, ">", List.of(MeasurePart.VALUE), "max_over_time"),
    /** The value at the earliest event time; if several share that time, the smallest. */
    FIRST(4, "<", List.of(MeasurePart.TIME, MeasurePart.VALUE)),
    /** The value at the latest event time; if several share that time, the largest. */
    LAST(5, ">", List.of(MeasurePart.TIME, MeasurePart.VALUE), "last_over_time");

    /** The names of all kinds, for error messages. */
    static final String EXPECTED = "one of " + Arrays.stream(values()).map(MeasureKind::word).collect(Collectors.joining(", "));

    private final int code;
    private final String wins;
    /** The parts that extremes are ordered by. */
    private final List<MeasurePart> order;
    private final List<MeasurePart> parts;
    private final List<String> rangeFunctions;

    /** An additive kind. */
    MeasureKind(int code) {
        this(code, "", List.of(), "increase", "rate");
    }

    /** An extreme. */
    MeasureKind(int code, String wins, List<MeasurePart> order, String... rangeFunctions) {
        this.code = code;
        this.wins = wins;
        this.order = order;
        this.parts = order.contains(MeasurePart.TIME) ? List.of(MeasurePart.VALUE, MeasurePart.TIME)
                : List.of(MeasurePart.VALUE);
        this.rangeFunctions = List.of(rangeFunctions);
    }

    /** Returns the kind with that lower-case name, or empty. */
    public static Optional<MeasureKind> parse(String name) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(name)).findFirst();
    }

    public static Optional<MeasureKind> ofCode(int code) {
        return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }

    /** The name in declarations: {@code count}, {@code sum}, … */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its number in the journal's records, from 0 to 127; part of the storage format. */
    public int code() {
        return code;
    }

    /** Whether it reads the value of an attribute; otherwise it counts events. */
    public boolean readsAttribute() {
        return this != COUNT;
    }

    /**
     * Whether values are numbers that add up, so that applying one twice changes the result. All other kinds keep an extreme,
     * and applying one twice changes nothing.
     */
    public boolean isAdditive() {
        return order.isEmpty();
    }

    /**
     * Whether an event's attribute changes the value. A sum adds the attribute of a retraction as sent, so the producer sends
     * it negative. Extremes cannot be taken back, so retractions do not affect them.
     *
     * @param count the event's count, negative for a retraction
     */
    public boolean takes(long count) {
        return isAdditive() || count > 0;
    }

    /**
     * Converts one number of an event to a value.
     *
     * @param time the event's time
     */
    public MeasureValue valueOf(BigDecimal number, Instant time) {
        return parts.contains(MeasurePart.TIME) ? MeasureValue.at(number, time) : MeasureValue.of(number);
    }

    /** Combines two values; commutative and associative. */
    public MeasureValue combine(MeasureValue a, MeasureValue b) {
        if (isAdditive()) {
            return a.plus(b);
        }
        int compared = 0;
        for (int i = 0; i < order.size() && compared == 0; i++) {
            compared = order.get(i) == MeasurePart.TIME
                    ? a.requiredTime().compareTo(b.requiredTime())
                    : a.value().compareTo(b.value());
        }
        return (wins.equals("<") ? compared <= 0 : compared >= 0) ? a : b;
    }

    /** For an extreme: {@code <} or {@code >}, the comparison with the current value that makes a new value replace it. */
    public String wins() {
        return wins;
    }

    /** For an extreme: the parts to compare, in order; each is compared only if all earlier ones are equal. */
    public List<MeasurePart> order() {
        return order;
    }

    /** The parts of its values, in the order of {@link #write}. */
    public List<MeasurePart> parts() {
        return parts;
    }

    /** Writes the parts of a value, in order. */
    public void write(MeasureValue value, MeasurePartWriter out) {
        out.number(MeasurePart.VALUE, value.value());
        if (parts.size() > 1) {
            out.time(MeasurePart.TIME, value.requiredTime());
        }
    }

    /** Reads what {@link #write} wrote. */
    public MeasureValue read(MeasurePartReader in) {
        BigDecimal number = in.number(MeasurePart.VALUE);
        return parts.size() > 1 ? MeasureValue.at(number, in.time(MeasurePart.TIME)) : MeasureValue.of(number);
    }

    /** The value if nothing was measured: zero for additive kinds, null for extremes. */
    public @Nullable BigDecimal ofNothing() {
        return isAdditive() ? BigDecimal.ZERO : null;
    }

    /** The Prometheus metric type of such a measure: counters can be passed to {@code increase} and {@code rate}. */
    public String metricType() {
        return isAdditive() ? "counter" : "gauge";
    }

    /** The PromQL range functions that are meaningful for such a measure. */
    public List<String> rangeFunctions() {
        return rangeFunctions;
    }

    /** The PromQL aggregation over several labels; for values with a time, the mean, as the result has no time. */
    public String aggregation() {
        if (isAdditive()) {
            return "sum";
        }
        return parts.contains(MeasurePart.TIME) ? "avg" : wins.equals("<") ? "min" : "max";
    }
}
