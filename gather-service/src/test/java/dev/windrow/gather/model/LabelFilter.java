package dev.windrow.gather.model;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which labels are queried.
 *
 * @param values the first values of the label
 * @param prefix how the value after them begins; null if it may be any
 */
record LabelFilter(List<String> values, @Nullable String prefix) {

    static final LabelFilter NONE = new LabelFilter(List.of(), null);

    /** Names and values by turns. */
    List<String> parameters() {
        List<String> parameters = new ArrayList<>();
        values.forEach(value -> parameters.addAll(List.of("label", value)));
        if (prefix != null) {
            parameters.addAll(List.of("prefix", prefix));
        }
        return parameters;
    }

    boolean matches(List<String> label) {
        return label.subList(0, values.size()).equals(values)
                && (prefix == null || label.get(values.size()).startsWith(prefix));
    }
}
