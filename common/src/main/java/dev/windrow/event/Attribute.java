package dev.windrow.event;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;

/** The value of an event's attribute. A JSON null is an absent attribute. */
public sealed interface Attribute {

    /** A JSON string. */
    record Text(String value) implements Attribute {
    }

    /** A JSON number, exact. */
    record Decimal(BigDecimal value) implements Attribute {
    }

    /** A JSON boolean. */
    record Flag(boolean value) implements Attribute {
    }

    /** A JSON object or array: events may carry them, but neither labels nor measures can use them. */
    record Nested() implements Attribute {
    }

    /** The value as a label: the shortest plain form of a number; null for an object or array. */
    default @Nullable String label() {
        if (this instanceof Text text) {
            return text.value();
        }
        if (this instanceof Decimal number) {
            return Decimals.canonical(number.value());
        }
        return this instanceof Flag flag ? String.valueOf(flag.value()) : null;
    }

    /** The value as a number, also of text that is a number as in JSON; null if it is neither. */
    default @Nullable BigDecimal number() {
        return this instanceof Decimal number ? number.value()
                : this instanceof Text text ? Decimals.parse(text.value()) : null;
    }

    /** The kind of value, for error messages. */
    default String description() {
        if (this instanceof Text) {
            return "text";
        }
        if (this instanceof Decimal) {
            return "a number";
        }
        return this instanceof Flag ? "a boolean" : "an object or array";
    }
}
