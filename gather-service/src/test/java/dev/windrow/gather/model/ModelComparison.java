package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** The model's comparison of two periods. */
final class ModelComparison {

    private ModelComparison() {
    }

    static List<String> rows(ModelDataset dataset, ReferenceModel model, String finest, ModelRange period, ModelRange against,
            LabelFilter filter) {
        Map<String, @Nullable BigDecimal> now = model.sums(finest, period, filter);
        Map<String, @Nullable BigDecimal> then = model.sums(finest, against, filter);
        List<String> rows = new ArrayList<>();
        rows.add(RowText.of(bounds(finest, period), dataset.measures(), now));
        rows.add(RowText.of(bounds(finest, against), dataset.measures(), then));
        for (ModelMeasure measure : dataset.measures()) {
            BigDecimal before = then.get(measure.name());
            BigDecimal after = now.get(measure.name());
            if (before == null || after == null) {
                rows.add(measure.name() + " null");
            } else {
                BigDecimal change = after.subtract(before);
                rows.add(measure.name() + " " + plain(change) + " "
                        + (before.signum() == 0 ? "null" : plain(change.divide(before.abs(), MathContext.DECIMAL128))));
            }
        }
        return rows;
    }

    /** The service's answer in the same form. */
    static List<String> rows(ModelDataset dataset, JsonNode answer) {
        List<String> rows = new ArrayList<>();
        rows.add(RowText.of(answer.get("period"), dataset.measures()));
        rows.add(RowText.of(answer.get("against"), dataset.measures()));
        answer.get("change").properties().forEach(change -> rows.add(change.getKey() + (change.getValue().isNull()
                ? " null"
                : " " + plain(change.getValue().get("absolute").decimalValue()) + " "
                        + (change.getValue().get("relative").isNull()
                                ? "null"
                                : plain(change.getValue().get("relative").decimalValue())))));
        return rows;
    }

    private static List<Instant> bounds(String finest, ModelRange range) {
        return List.of(bound(finest, range.from()), bound(finest, range.to()));
    }

    /** No bucket begins before the one that holds the earliest time. */
    private static Instant bound(String finest, Instant time) {
        Instant start = ModelCalendar.ceiling(finest, ZoneOffset.UTC, time);
        Instant first = ModelCalendar.floor(finest, Instant.EPOCH);
        return start.isBefore(first) ? first : start;
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
