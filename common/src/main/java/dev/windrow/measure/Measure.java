package dev.windrow.measure;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A declared measure of a dataset.
 *
 * @param name its name in answers and, prefixed, in the table
 * @param kind how values are combined
 * @param attribute the event attribute it reads; absent only for {@link MeasureKind#COUNT}
 */
public record Measure(String name, MeasureKind kind, @Nullable String attribute) {

    public Measure {
        if ((kind == MeasureKind.COUNT) != (attribute == null)) {
            throw new IllegalArgumentException(kind + " " + name + " with attribute " + attribute);
        }
    }

    /** The event attribute it reads, or empty for a count. */
    public Optional<String> source() {
        return Optional.ofNullable(attribute);
    }
}
