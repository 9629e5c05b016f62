package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

/** Formats rows of the model and of the service as the same text, so that lists of them can be compared. */
final class RowText {

    /** Stands for a measure that is not in a row. */
    static final String ABSENT = "-";

    /** Marks a bucket that lies only partly in the range; CSV does not say so. */
    static final String PARTIAL = " | partial";

    private RowText() {
    }

    /** A row of the model; a measure mapped to null must be null in the answer, one that is not mapped must be absent. */
    static String of(List<? extends Object> head, List<ModelMeasure> measures, Map<String, @Nullable BigDecimal> values) {
        List<String> text = new ArrayList<>();
        head.forEach(part -> text.add(String.valueOf(part)));
        for (ModelMeasure measure : measures) {
            text.add(measure.name() + "=" + (values.containsKey(measure.name()) ? number(values.get(measure.name())) : ABSENT));
        }
        return String.join(" | ", text);
    }

    static String of(JsonNode item, List<ModelMeasure> measures) {
        List<Object> head = new ArrayList<>();
        for (String field : List.of("other", "granularity", "start", "day", "hour", "from", "to")) {
            Optional.ofNullable(item.get(field)).ifPresent(value -> head.add(value.asText()));
        }
        if (item.has("label")) {
            List<String> label = new ArrayList<>();
            item.get("label").forEach(value -> label.add(value.asText()));
            head.add(0, label);
        }
        Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
        item.get("measures").properties().forEach(measure -> values.put(measure.getKey(),
                measure.getValue().isNull() ? null : measure.getValue().decimalValue()));
        String unknown = values.keySet().stream()
                .filter(name -> measures.stream().noneMatch(measure -> measure.name().equals(name)))
                .reduce("", (all, name) -> all + " | unknown measure " + name);
        return of(head, measures, values) + unknown + (item.path("partial").asBoolean() ? PARTIAL : "");
    }

    /** A line of CSV, whose columns are the label's values (if any), other columns, and the measures. */
    static String ofCsv(List<String> cells, int labelColumns, int labelValues, List<ModelMeasure> measures) {
        List<Object> head = new ArrayList<>();
        if (labelColumns > 0) {
            boolean rest = cells.subList(labelValues, labelColumns).stream().allMatch(String::isEmpty);
            head.add(cells.subList(0, rest ? labelValues : labelColumns));
        }
        int measuresFrom = cells.size() - measures.size();
        head.addAll(cells.subList(labelColumns, measuresFrom));
        Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
        for (int i = 0; i < measures.size(); i++) {
            String cell = cells.get(measuresFrom + i);
            if (!cell.isEmpty()) {
                values.put(measures.get(i).name(), new BigDecimal(cell));
            }
        }
        return of(head, measures, values);
    }

    /** Cells of RFC 4180, line by line; handles only CSV that the service may write. */
    static List<List<String>> csv(String text) {
        List<List<String>> lines = new ArrayList<>();
        List<String> line = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '"' && i + 1 < text.length() && text.charAt(i + 1) == '"') {
                cell.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == ',') {
                line.add(cell.toString());
                cell.setLength(0);
            } else if (!quoted && text.startsWith("\r\n", i)) {
                line.add(cell.toString());
                cell.setLength(0);
                lines.add(line);
                line = new ArrayList<>();
                i++;
            } else {
                cell.append(c);
            }
        }
        if (quoted || !cell.isEmpty() || !line.isEmpty()) {
            throw new AssertionError("CSV ends in the middle of a line: " + Arrays.toString(line.toArray()) + cell);
        }
        return lines;
    }

    static String number(@Nullable BigDecimal number) {
        if (number == null) {
            return "null";
        }
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
