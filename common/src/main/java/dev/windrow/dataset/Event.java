package dev.windrow.dataset;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened.
 *
 * @param type selects the datasets that count it
 * @param time when it happened, see {@link dev.windrow.dataset.EventTimes}
 * @param id the producer's own id, the same when it sends the event again; optional
 * @param tenant the isolated owner, see {@link TenantNames}
 * @param attributes its attributes; a JSON null is absent
 * @param count how many times it happened, 1 by default; a negative count retracts that many
 */
public record Event(String type, Instant time, @Nullable String id, String tenant, Map<String, Attribute> attributes,
        long count) {

    /** An event that happened once. */
    public Event(String type, Instant time, @Nullable String id, String tenant, Map<String, Attribute> attributes) {
        this(type, time, id, tenant, attributes, 1);
    }

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
}
