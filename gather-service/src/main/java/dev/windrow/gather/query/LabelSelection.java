package dev.windrow.gather.query;

import java.util.Optional;

import dev.windrow.key.Label;

/**
 * Which labels a question is about.
 *
 * @param whole the one label, if it is about one: its items are next to each other in the table
 * @param keyPrefix how the table's partition keys of the labels begin; empty for all labels
 */
public record LabelSelection(Optional<Label> whole, Optional<String> keyPrefix) {

    /** All labels. */
    public static final LabelSelection ALL = new LabelSelection(Optional.empty(), Optional.empty());
}
