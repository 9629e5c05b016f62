package dev.windrow.event;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.base.KeyCodec;

/**
 * The source of an attribute.
 *
 * @param otherwise the default if the value is missing, null or absent; null to leave the attribute absent
 * @param absent the labels of values that stand for none
 * @param isNumeric whether all text that is no number stands for none
 * @param factor what a number is multiplied by; null to leave the value as it is
 */
public record FormSource(FormPath path, @Nullable Attribute otherwise, SortedSet<String> absent, boolean isNumeric,
        @Nullable BigDecimal factor) {

    /** Whether a value stands for none. */
    public boolean isAbsent(Attribute value) {
        if (isNumeric && value instanceof Attribute.Text && value.number() == null) {
            return true;
        }
        return !absent.isEmpty() && value.label() != null && absent.contains(value.label());
    }

    String text() {
        List<String> parts = new ArrayList<>(List.of(path.text()));
        if (otherwise != null) {
            parts.addAll(List.of(otherwise.description(), String.valueOf(otherwise.label())));
        }
        if (!absent.isEmpty()) {
            parts.add(KeyCodec.encode(Stream.concat(Stream.of("absent"), absent.stream()).toList()));
        }
        if (isNumeric) {
            parts.add("numeric");
        }
        if (factor != null) {
            parts.add("factor " + Decimals.canonical(factor));
        }
        return parts.size() == 1 ? path.text() : KeyCodec.encode(parts);
    }
}
