package dev.windrow.dataset;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.event.Attribute;
import dev.windrow.event.Condition;
import dev.windrow.event.Event;

/**
 * A declared measure of a dataset.
 *
 * @param name its name in answers and, prefixed, in the table
 * @param attribute the event attribute it reads; for a count, the attribute that an event must have to be counted; null only
 *        for a count of all events
 * @param floored whether answers show zero where retractions bring the sum below it; counts and sums only
 * @param decimals the decimal places that each value of a sum is rounded to, 0 to {@link Decimals#SUMMAND_DECIMALS}; all other
 *        kinds keep all digits
 * @param required whether an event without the attribute is an error
 * @param where the conditions that an event must meet to be measured, by attribute
 */
public record Measure(String name, MeasureKind kind, @Nullable String attribute, boolean floored, int decimals,
        boolean required, SortedMap<String, Condition> where) {

    public Measure {
        where = Collections.unmodifiableSortedMap(new TreeMap<>(where));
        if (kind.readsAttribute() && attribute == null) {
            throw new IllegalArgumentException(kind + " " + name + " with attribute " + attribute);
        }
        if (floored && !kind.isAdditive()) {
            throw new IllegalArgumentException(kind + " " + name + " with a floor");
        }
    }

    /** A measure of attributes that may be absent, with all decimals. */
    public Measure(String name, MeasureKind kind, @Nullable String attribute, boolean floored) {
        this(name, kind, attribute, floored, Decimals.SUMMAND_DECIMALS, false, new TreeMap<>());
    }

    public Measure(String name, MeasureKind kind, @Nullable String attribute) {
        this(name, kind, attribute, false);
    }

    /** Whether it counts every event of its dataset: all such counts are equal. */
    public boolean countsAll() {
        return !kind.readsAttribute() && attribute == null && where.isEmpty();
    }

    /** Whether a bucket may have no value of it although nothing measured is a value, too: zero. */
    public boolean mayBeAbsent() {
        return kind.ofNothing() != null && !countsAll();
    }

    /** Whether it measures an event, provided that the event has the attribute. */
    public boolean includes(Event event) {
        return where.isEmpty() || Condition.hold(where, event);
    }

    /** Whether it is a count that an event changes, up or down. */
    public boolean counts(Event event) {
        return !kind.readsAttribute() && (attribute == null || event.attributes().containsKey(attribute)) && includes(event);
    }

    /** Returns the number that a valid event contributes, for a count the event's own count; null if none. */
    public @Nullable BigDecimal broughtBy(Event event) {
        if (!kind.readsAttribute()) {
            return counts(event) ? BigDecimal.valueOf(event.count()) : null;
        }
        Attribute value = event.attributes().get(Objects.requireNonNull(attribute));
        return value == null || !kind.takes(event.count()) || !includes(event) ? null : numberOf(value);
    }

    /**
     * Converts the value of its attribute to a number; null if the value is neither a number nor numeric text, or DynamoDB
     * cannot store it. Doubles are accepted ({@code 51.846000000000004}), so the values of a sum are rounded half-even.
     */
    public @Nullable BigDecimal numberOf(Attribute value) {
        BigDecimal number = value.number();
        if (number == null || !Decimals.fits(number)) {
            return null;
        }
        return kind.isAdditive() && number.scale() > decimals ? number.setScale(decimals, RoundingMode.HALF_EVEN) : number;
    }

    /**
     * Returns the expectation that a number of {@link #numberOf} does not meet; null if it is accepted. The values of a sum
     * have 9 digits fewer than DynamoDB's 38, so DynamoDB can store the sum of a billion of the largest values, and no accepted
     * value makes it impossible to add another one.
     */
    public @Nullable String refusal(BigDecimal number) {
        int whole = Decimals.SUMMAND_DIGITS - decimals;
        if (!kind.isAdditive() || number.signum() == 0 || number.precision() - (long) number.scale() <= whole) {
            return null;
        }
        return "a number with at most " + whole + " digits before the decimal point, the limit of a sum with decimals: "
                + decimals
                + (decimals == 0 ? "" : "; a lower value of decimals allows larger numbers");
    }

    /** A value as answers show it. */
    public BigDecimal shown(MeasureValue value) {
        return shown(value.value());
    }

    /**
     * A number as answers show it. The table stores exact sums, as a retraction may arrive before the event that it retracts;
     * the floor is applied last, to the final sum.
     */
    public BigDecimal shown(BigDecimal value) {
        return floored && value.signum() < 0 ? BigDecimal.ZERO : value;
    }

    /** A value as answers show it; null if nothing was measured and the kind has no value for that. */
    public @Nullable BigDecimal total(@Nullable MeasureValue value) {
        return value == null ? kind.ofNothing() : shown(value);
    }

    /** The event attribute it reads, or empty for a count of events regardless of their attributes. */
    public Optional<String> source() {
        return Optional.ofNullable(attribute);
    }
}
