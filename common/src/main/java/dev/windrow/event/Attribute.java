package dev.windrow.event;

import java.math.BigDecimal;

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

    /** What it is, for error messages. */
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
