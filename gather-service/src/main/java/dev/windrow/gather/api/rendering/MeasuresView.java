package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.merge.MeasureValues;

/** Renders measures as a map from name to exact number, in declared order. */
public final class MeasuresView {

    private MeasuresView() {
    }

    /** The measures that have a value. */
    static Map<String, @Nullable BigDecimal> present(MeasureValues values) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        values.forEach((measure, value) -> {
            if (value != null) {
                view.put(measure.name(), number(measure, value));
            }
        });
        return view;
    }

    /** All measures: a sum of nothing is zero, but nothing has no least, largest, first or last value. */
    static Map<String, @Nullable BigDecimal> total(MeasureValues values) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        values.forEach((measure, value) -> {
            BigDecimal nothing = measure.kind().isAdditive() ? BigDecimal.ZERO : null;
            view.put(measure.name(), value == null ? nothing : number(measure, value));
        });
        return view;
    }

    /** Numbers that may be null, by measure. */
    public static Map<String, @Nullable BigDecimal> of(List<Measure> measures, List<@Nullable BigDecimal> numbers,
            boolean nulls) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        for (int i = 0; i < measures.size(); i++) {
            BigDecimal number = numbers.get(i);
            if (number != null || nulls) {
                view.put(measures.get(i).name(), number == null ? null : number(measures.get(i).shown(number)));
            }
        }
        return view;
    }

    private static BigDecimal number(Measure measure, MeasureValue value) {
        return number(measure.shown(value.value()));
    }

    /** In full, without trailing zeros after the point, so that equal numbers have equal text. */
    static BigDecimal number(BigDecimal value) {
        if (value.scale() <= 0) {
            return value;
        }
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }
}
