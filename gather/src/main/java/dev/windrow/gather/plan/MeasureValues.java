package dev.windrow.gather.plan;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;

/**
 * Values of a dataset's measures, some of which may have none yet.
 *
 * @param measures of the dataset, in declared order
 * @param values one for each measure, null where there is none
 */
public record MeasureValues(List<Measure> measures, List<@Nullable MeasureValue> values) {

    public MeasureValues {
        if (measures.size() != values.size()) {
            throw new IllegalArgumentException(values.size() + " values for " + measures.size() + " measures");
        }
    }

    public static MeasureValues none(List<Measure> measures) {
        return new MeasureValues(measures, Collections.nCopies(measures.size(), null));
    }

    /** Combines the values by each measure's algebra. */
    public MeasureValues combine(MeasureValues other) {
        List<@Nullable MeasureValue> combined = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            MeasureValue a = values.get(i);
            MeasureValue b = other.values.get(i);
            combined.add(a == null ? b : b == null ? a : measures.get(i).kind().combine(a, b));
        }
        return new MeasureValues(measures, combined);
    }

    /** The value of the measure at that place in declared order, or empty. */
    public Optional<MeasureValue> at(int measure) {
        return Optional.ofNullable(values.get(measure));
    }

    /** The number of a column as answers show it: a measure with a floor is never below zero; empty if there is none. */
    public Optional<BigDecimal> shown(Column column) {
        return column.isRatio() ? Optional.ofNullable(total(column))
                : at(column.of()).map(value -> measures.get(column.of()).shown(value));
    }

    /** The same, but with the measure's default if nothing was measured; null if it has none. */
    public @Nullable BigDecimal total(Column column) {
        return column.isRatio() ? Column.quotient(total(column.of()), total(column.to())) : total(column.of());
    }

    /** All measures with their values, in declared order. */
    public void forEach(BiConsumer<Measure, @Nullable MeasureValue> action) {
        for (int i = 0; i < values.size(); i++) {
            action.accept(measures.get(i), values.get(i));
        }
    }

    private @Nullable BigDecimal total(int measure) {
        return measures.get(measure).total(values.get(measure));
    }
}
