package dev.windrow.gather.render;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.MeasureValues;

/** Renders measures and ratios as a map from name to number, in declared order. */
public final class MeasuresView {

    /** Includes only measures and ratios that have a number. */
    public static Map<String, @Nullable BigDecimal> present(MeasureValues values, List<Column> columns) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        columns.forEach(column -> values.shown(column).ifPresent(number -> view.put(column.name(), number(number))));
        return view;
    }

    /** Includes all measures and ratios; one without a value is 0 if it adds up, else null. */
    public static Map<String, @Nullable BigDecimal> total(MeasureValues values, List<Column> columns) {
        return of(columns, columns.stream().<@Nullable BigDecimal> map(values::total).toList(), true);
    }

    /** Includes the measures and ratios that have a value; one that adds up is 0 without one. */
    public static Map<String, @Nullable BigDecimal> known(MeasureValues values, List<Column> columns) {
        return of(columns, columns.stream().<@Nullable BigDecimal> map(values::total).toList(), false);
    }

    /**
     * Returns numbers, which may be null, by column.
     *
     * @param nulls whether nulls are included
     */
    public static Map<String, @Nullable BigDecimal> of(List<Column> columns, List<@Nullable BigDecimal> numbers,
            boolean nulls) {
        Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            BigDecimal number = numbers.get(i);
            if (number != null || nulls) {
                view.put(columns.get(i).name(), number == null ? null : number(number));
            }
        }
        return view;
    }

    /** Returns a number in full, without trailing zeros after the point, so that equal numbers have equal text. */
    public static BigDecimal number(BigDecimal value) {
        if (value.scale() <= 0) {
            return value;
        }
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }
}
