package dev.windrow.gather.model;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Which labels are queried.
 *
 * @param values the first values of the label
 * @param prefix how the value after them begins; null if it may be any
 * @param several the first values of each of several labels, instead of both; empty if one is
 */
record LabelFilter(List<String> values, @Nullable String prefix, List<List<String>> several) {

    static final LabelFilter NONE = new LabelFilter(List.of(), null);

    private static final ObjectMapper JSON = new ObjectMapper();

    LabelFilter(List<String> values, @Nullable String prefix) {
        this(values, prefix, List.of());
    }

    static LabelFilter anyOf(List<List<String>> several) {
        return new LabelFilter(List.of(), null, several);
    }

    /** Names and values by turns. */
    List<String> parameters() {
        List<String> parameters = new ArrayList<>();
        values.forEach(value -> parameters.addAll(List.of("label", value)));
        if (prefix != null) {
            parameters.addAll(List.of("prefix", prefix));
        }
        several.forEach(label -> parameters.addAll(List.of("labels", JSON.valueToTree(label).toString())));
        return parameters;
    }

    boolean matches(List<String> label) {
        return several.isEmpty()
                ? begins(label, values) && (prefix == null || label.get(values.size()).startsWith(prefix))
                : several.stream().anyMatch(first -> begins(label, first));
    }

    /** How many values are given for every label. */
    int shortest() {
        return several.stream().mapToInt(List::size).min().orElse(values.size());
    }

    private static boolean begins(List<String> label, List<String> first) {
        return label.subList(0, first.size()).equals(first);
    }
}
