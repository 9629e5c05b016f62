package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The model's position of a label and its neighbors.
 *
 * @param top the order, in which each group is a whole label
 * @param around number of neighbors on each side
 */
record ModelPosition(List<String> label, ModelTop top, int around) {

    /** @param events the events of the labels among which it is ordered */
    List<String> rows(Collection<ModelEvent> events) {
        List<List<String>> labels = top.withValue(events);
        List<BigDecimal> numbers = labels.stream().map(of -> top.number(of, events)).toList();
        int at = labels.indexOf(label);
        if (at < 0) {
            return List.of(row("null", label, "null"));
        }
        List<String> rows = new ArrayList<>(List.of(row(place(numbers, at), label, RowText.number(numbers.get(at)))));
        for (int i = Math.max(0, at - around); i < Math.min(labels.size(), at + around + 1); i++) {
            rows.add(row(place(numbers, i), labels.get(i), RowText.number(numbers.get(i))));
        }
        return rows;
    }

    /** The service's answer in the same form. */
    static List<String> rows(JsonNode answer) {
        List<String> rows = new ArrayList<>(List.of(row(answer)));
        answer.get("items").forEach(item -> rows.add(row(item)));
        return rows;
    }

    private static String row(JsonNode item) {
        List<String> label = new ArrayList<>();
        item.get("label").forEach(value -> label.add(value.asText()));
        return row(item.get("place").asText(), label,
                item.get("value").isNull() ? "null" : RowText.number(item.get("value").decimalValue()));
    }

    private static String row(String place, List<String> label, String value) {
        return place + " " + label + " " + value;
    }

    /** Equal numbers share the place of the first. */
    private static String place(List<BigDecimal> numbers, int index) {
        int first = 0;
        while (numbers.get(first).compareTo(numbers.get(index)) != 0) {
            first++;
        }
        return Integer.toString(first + 1);
    }
}
