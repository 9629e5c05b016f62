package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.key.Label;

/**
 * Which labels a query is about.
 *
 * @param values the first values that all the labels share, those that are given
 * @param whole the labels, if all values of each are given: the items of each are next to each other in the table
 * @param keyPrefixes prefixes of the table's partition keys of the labels, one of these each; none for all labels
 */
public record LabelSelection(List<String> values, List<Label> whole, List<String> keyPrefixes) {

    /** All labels. */
    public static final LabelSelection ALL = new LabelSelection(List.of(), List.of(), List.of());

    public LabelSelection {
        values = List.copyOf(values);
        whole = List.copyOf(whole);
        keyPrefixes = List.copyOf(keyPrefixes);
    }

    /** The labels of all these. */
    static LabelSelection anyOf(List<LabelSelection> selections) {
        boolean allWhole = selections.stream().noneMatch(selection -> selection.whole.isEmpty());
        return new LabelSelection(List.of(),
                allWhole ? selections.stream().flatMap(selection -> selection.whole.stream()).distinct().toList() : List.of(),
                selections.stream().flatMap(selection -> selection.keyPrefixes.stream()).distinct().toList());
    }
}
