package dev.windrow.event;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.KeyCodec;

/**
 * A condition on one value of an event. Values are compared as {@linkplain Attribute#label() labels}, so the number 200 and the
 * text {@code "200"} are equal.
 *
 * @param oneOf the accepted labels; empty if the other fields decide
 * @param prefix the required prefix of the label; null for any
 * @param from the inclusive lower limit of a number, or of text that is one; null for none
 * @param below the exclusive upper limit of a number, or of text that is one; null for none
 * @param exists whether the value must be present and not null, which all other conditions imply
 */
public record Condition(SortedSet<String> oneOf, @Nullable String prefix, @Nullable BigDecimal from,
        @Nullable BigDecimal below, boolean exists) {

    private static final int MAX_NAMED = 5;

    /** The forms of a declared condition, for error messages. */
    public static final String EXPECTED = "a value, a list of values, {prefix: …}, {from: …, below: …} or {exists: …}";

    public Condition {
        oneOf = Collections.unmodifiableSortedSet(new TreeSet<>(oneOf));
    }

    public static Condition oneOf(SortedSet<String> labels) {
        return new Condition(labels, null, null, null, true);
    }

    /** @param value null if it is missing or null */
    public boolean holds(@Nullable Attribute value) {
        if (value == null || !exists) {
            return exists == (value != null);
        }
        if (from != null || below != null) {
            BigDecimal number = value.number();
            return number != null && (from == null || number.compareTo(from) >= 0)
                    && (below == null || number.compareTo(below) < 0);
        }
        if (oneOf.isEmpty() && prefix == null) {
            return true;
        }
        String label = value.label();
        return label != null && (prefix == null ? oneOf.contains(label) : label.startsWith(prefix));
    }

    /** Returns a value that meets the condition, or empty if an absent value meets it. */
    public Optional<Attribute> example() {
        if (!exists) {
            return Optional.empty();
        }
        if (from != null) {
            return Optional.of(new Attribute.Decimal(from));
        }
        if (below != null) {
            return Optional.of(new Attribute.Decimal(below.subtract(BigDecimal.ONE)));
        }
        return Optional.of(new Attribute.Text(prefix != null ? prefix : oneOf.isEmpty() ? "x" : oneOf.first()));
    }

    /** What a value must be to meet it, for error messages. */
    public String expectation() {
        if (!exists) {
            return "nothing";
        }
        if (prefix != null) {
            return "a value that begins with '" + prefix + "'";
        }
        if (from != null || below != null) {
            return "a number" + (from == null ? "" : " from " + from.toPlainString())
                    + (below == null ? "" : " below " + below.toPlainString());
        }
        return oneOf.isEmpty() ? "a value"
                : oneOf.stream().limit(MAX_NAMED).map(label -> "'" + label + "'").collect(Collectors.joining(" or "))
                        + (oneOf.size() > MAX_NAMED ? " or one of " + (oneOf.size() - MAX_NAMED) + " more" : "");
    }

    /** The canonical text, without spaces: equal for conditions that hold for the same values. */
    String text() {
        List<String> parts = new ArrayList<>();
        if (!oneOf.isEmpty()) {
            parts.add("is");
            parts.addAll(oneOf);
        } else if (prefix != null) {
            parts.add("prefix");
            parts.add(prefix);
        } else if (from != null || below != null) {
            parts.add("range");
            parts.add(from == null ? "" : Decimals.canonical(from));
            parts.add(below == null ? "" : Decimals.canonical(below));
        } else {
            parts.add(exists ? "exists" : "missing");
        }
        return KeyCodec.encode(parts);
    }

    /** The canonical text of several conditions by attribute. */
    public static String text(SortedMap<String, Condition> where) {
        List<String> parts = new ArrayList<>();
        where.forEach((attribute, condition) -> parts.add(KeyCodec.encode(List.of(attribute, condition.text()))));
        return parts.isEmpty() ? "" : KeyCodec.encode(parts);
    }

    /** Whether an event meets all conditions. */
    public static boolean hold(SortedMap<String, Condition> where, Event event) {
        if (where.size() == 1) {
            // The usual case: avoids an iterator for every event.
            String attribute = where.firstKey();
            return Objects.requireNonNull(where.get(attribute)).holds(event.attributes().get(attribute));
        }
        for (Map.Entry<String, Condition> condition : where.entrySet()) {
            if (!condition.getValue().holds(event.attributes().get(condition.getKey()))) {
                return false;
            }
        }
        return true;
    }
}
