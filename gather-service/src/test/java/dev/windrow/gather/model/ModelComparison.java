package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

final class ModelComparison {

    private ModelComparison() {
    }

    static List<String> rows(ModelDataset dataset, ReferenceModel model, ComparedRanges.Kept kept, LabelFilter filter) {
        Map<String, @Nullable BigDecimal> now = model.sums(kept.period(), filter);
        Map<String, @Nullable BigDecimal> then = model.sums(kept.against(), filter);
        List<String> rows = new ArrayList<>();
        rows.add(RowText.of(List.of(kept.period().from(), kept.period().to()), dataset.measures(), now));
        rows.add(RowText.of(List.of(kept.against().from(), kept.against().to()), dataset.measures(), then));
        rows.addAll(kept.comparable() ? changes(dataset, now, then)
                : dataset.measures().stream().map(measure -> measure.name() + " null").toList());
        return rows;
    }

    static List<String> changes(ModelDataset dataset, Map<String, @Nullable BigDecimal> now,
            Map<String, @Nullable BigDecimal> then) {
        List<String> rows = new ArrayList<>();
        for (ModelMeasure measure : dataset.measures()) {
            BigDecimal before = then.get(measure.name());
            BigDecimal after = now.get(measure.name());
            if (before == null || after == null) {
                rows.add(measure.name() + " null");
            } else {
                BigDecimal change = after.subtract(before);
                rows.add(measure.name() + " " + RowText.number(change) + " "
                        + (before.signum() == 0 ? "null"
                                : RowText.number(change.divide(before.abs(), MathContext.DECIMAL128))));
            }
        }
        return rows;
    }

    /** The service's answer in the same form. */
    static List<String> rows(ModelDataset dataset, JsonNode answer) {
        List<String> rows = new ArrayList<>();
        rows.add(RowText.of(answer.get("period"), dataset.measures()));
        rows.add(RowText.of(answer.get("against"), dataset.measures()));
        rows.addAll(changes(answer.get("change")));
        return rows;
    }

    /** The service's changes in the same form. */
    static List<String> changes(JsonNode answered) {
        List<String> rows = new ArrayList<>();
        answered.properties().forEach(change -> rows.add(change.getKey() + (change.getValue().isNull()
                ? " null"
                : " " + RowText.number(change.getValue().get("absolute").decimalValue()) + " "
                        + (change.getValue().get("relative").isNull()
                                ? "null"
                                : RowText.number(change.getValue().get("relative").decimalValue())))));
        return rows;
    }

    /** A group of the service's top list, with its comparison if it has one. */
    static String group(JsonNode item, List<ModelMeasure> measures) {
        String row = RowText.of(item, measures);
        if (!item.has("against")) {
            return row;
        }
        JsonNode against = JsonNodeFactory.instance.objectNode().set("measures", item.get("against"));
        return row + " against " + RowText.of(against, measures) + " change " + changes(item.get("change"));
    }
}
