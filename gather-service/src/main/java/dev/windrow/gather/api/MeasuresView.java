package dev.windrow.gather.api;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.merge.Values;
import dev.windrow.measure.MeasureValue;

/** Renders measures as a map from name to exact number, in declared order. */
final class MeasuresView {

    private MeasuresView() {
    }

    /** The measures that have a value. */
    static Map<String, BigDecimal> present(Values values) {
        Map<String, BigDecimal> view = new LinkedHashMap<>();
        values.forEach((measure, value) -> {
            if (value != null) {
                view.put(measure.name(), number(value));
            }
        });
        return view;
    }

    /** All measures: a sum of nothing is zero, but nothing has no least, largest, first or last value. */
    static Map<String, @Nullable BigDecimal> total(Values values) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        values.forEach((measure, value) -> {
            BigDecimal nothing = measure.kind().isAdditive() ? BigDecimal.ZERO : null;
            view.put(measure.name(), value == null ? nothing : number(value));
        });
        return view;
    }

    private static BigDecimal number(MeasureValue value) {
        return value.value().signum() == 0 ? BigDecimal.ZERO : value.value().stripTrailingZeros();
    }
}
