package dev.windrow.dataset;

import java.math.BigDecimal;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A declared measure of a dataset.
 *
 * @param name its name in answers and, prefixed, in the table
 * @param kind how values are combined
 * @param attribute the event attribute it reads; absent only where it counts events
 * @param floored whether answers show zero where retractions bring the sum below it; counts and sums only
 */
public record Measure(String name, MeasureKind kind, @Nullable String attribute, boolean floored) {

    public Measure {
        if (kind.readsAttribute() == (attribute == null)) {
            throw new IllegalArgumentException(kind + " " + name + " with attribute " + attribute);
        }
        if (floored && !kind.isAdditive()) {
            throw new IllegalArgumentException(kind + " " + name + " with a floor");
        }
    }

    /** A measure without a floor. */
    public Measure(String name, MeasureKind kind, @Nullable String attribute) {
        this(name, kind, attribute, false);
    }

    /** A value as answers show it. */
    public BigDecimal shown(MeasureValue value) {
        return shown(kind.number(value));
    }

    /**
     * A number as answers show it. The table holds exact sums, as a retraction may arrive before what it retracts; the floor
     * is applied last, after everything was summed.
     */
    public BigDecimal shown(BigDecimal value) {
        return floored && value.signum() < 0 ? BigDecimal.ZERO : value;
    }

    /** A value as answers show it; null if nothing was measured and that amounts to nothing. */
    public @Nullable BigDecimal total(@Nullable MeasureValue value) {
        return value == null ? kind.ofNothing() : shown(value);
    }

    /** The event attribute it reads, or empty for a count. */
    public Optional<String> source() {
        return Optional.ofNullable(attribute);
    }
}
