package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.key.Label;

/**
 * Which labels a question is about.
 *
 * @param values the first values of the labels, as far as they are given
 * @param whole the one label, if it is about one: its items are next to each other in the table
 * @param keyPrefix how the table's partition keys of the labels begin; empty for all labels
 */
public record LabelSelection(List<String> values, Optional<Label> whole, Optional<String> keyPrefix) {

    /** All labels. */
    public static final LabelSelection ALL = new LabelSelection(List.of(), Optional.empty(), Optional.empty());
}
