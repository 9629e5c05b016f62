package dev.windrow.gather.label;

import java.util.List;
import java.util.SortedSet;

/**
 * The labels that a query is about, and where they are read.
 *
 * @param values the given first values that all the labels share
 * @param partitions the partitions of the table that hold the labels, if all values of the partition key are given for each;
 *        empty if the labels are read from the index
 * @param keyPrefixes prefixes of the labels' partition keys in the table: each label has one of these; empty for all labels
 * @param labelPrefixes prefixes of the labels as encoded in keys: each label has one of these; empty if {@code keyPrefixes}
 *        selects no other labels
 * @param where the wanted values of each attribute as encoded in keys, in the order of the label; an empty set for any. Empty
 *        if all labels with the prefixes are selected
 */
public record LabelSelection(List<String> values, List<LabelPartition> partitions, List<String> keyPrefixes,
        List<String> labelPrefixes, List<SortedSet<String>> where) {

    public static final LabelSelection ALL = new LabelSelection(List.of(), List.of(), List.of(), List.of(), List.of());

    /** Whether the labels are read from the table, in any granularity, rather than from the index. */
    public boolean isInTable() {
        return !partitions.isEmpty();
    }

}
