package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.promql.Expression.Selection;
import dev.windrow.gather.promql.RangeFunction;
import dev.windrow.gather.promql.Series;

/** Computes the series of a measure's value in each window. */
final class MetricFunctions {

    private static final String NAME = "__name__";
    private static final BigDecimal MILLIS_PER_SECOND = BigDecimal.valueOf(1_000);

    private MetricFunctions() {
    }

    /** @throws InvalidInputException if the function, or adding up series, makes no sense for the measure */
    static void check(Metric metric, Selection selection) {
        MeasureKind kind = metric.measure().kind();
        boolean fits = switch (selection.function()) {
            case ALL_TIME -> true;
            case INCREASE, RATE -> kind.isAdditive();
            case MIN_OVER_TIME -> kind == MeasureKind.MIN;
            case MAX_OVER_TIME -> kind == MeasureKind.MAX;
            case LAST_OVER_TIME -> kind == MeasureKind.LAST;
        };
        if (!fits) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", selection.function().word()
                    + " of a measure of type " + kind.word() + " is not supported: " + metric.name() + " takes "
                    + fitting(kind));
        }
    }

    private static String fitting(MeasureKind kind) {
        return switch (kind) {
            case COUNT, SUM -> "increase and rate";
            case MIN -> "min_over_time";
            case MAX -> "max_over_time";
            case LAST -> "last_over_time";
            case FIRST -> "no function";
        };
    }

    static List<Series> series(MetricSelection of, Selection selection, Map<List<String>, List<@Nullable MeasureValue>> sums) {
        List<Series> series = new ArrayList<>();
        sums.forEach((values, windows) -> {
            SortedMap<String, String> labels = of.labels(values);
            // As in Prometheus: values that are shown as they are keep the name.
            if ((selection.function() == RangeFunction.ALL_TIME || selection.function() == RangeFunction.LAST_OVER_TIME)
                    && selection.sumBy().map(by -> by.contains(NAME)).orElse(true)) {
                labels.put(NAME, of.metric().name());
            }
            List<@Nullable BigDecimal> numbers = new ArrayList<>(windows.size());
            windows.forEach(value -> numbers.add(value == null ? null : number(of, selection, value)));
            if (numbers.stream().anyMatch(number -> number != null)) {
                series.add(new Series(labels, numbers));
            }
        });
        return series;
    }

    private static BigDecimal number(MetricSelection of, Selection selection, MeasureValue value) {
        BigDecimal shown = of.metric().measure().shown(value.value());
        return selection.function() == RangeFunction.RATE
                ? shown.divide(seconds(selection.window()), MathContext.DECIMAL128)
                : shown;
    }

    private static BigDecimal seconds(Duration window) {
        return BigDecimal.valueOf(window.toMillis()).divide(MILLIS_PER_SECOND);
    }
}
