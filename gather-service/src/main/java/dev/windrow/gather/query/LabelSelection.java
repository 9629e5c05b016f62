package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.dataset.Dataset;

/**
 * Which labels a query is about, and where they are.
 *
 * @param values the first values that all the labels share, those that are given
 * @param partitions the partitions of the table that hold the labels, if all values of the partition key are given for each;
 *        none if the labels are to be found in the index
 * @param keyPrefixes prefixes of the table's partition keys of the labels, one of these each; none for all labels
 * @param labelPrefixes how the labels begin as keys are written, one of these each, where the prefixes of keys select too
 *        many; none if they do not
 */
public record LabelSelection(List<String> values, List<LabelPartition> partitions, List<String> keyPrefixes,
        List<String> labelPrefixes) {

    /** All labels. */
    public static final LabelSelection ALL = new LabelSelection(List.of(), List.of(), List.of(), List.of());

    public LabelSelection {
        values = List.copyOf(values);
        partitions = List.copyOf(partitions);
        keyPrefixes = List.copyOf(keyPrefixes);
        labelPrefixes = List.copyOf(labelPrefixes);
    }

    /** The labels that begin in one of these ways. */
    static LabelSelection of(String tenant, Dataset dataset, List<String> values, List<LabelPrefix> prefixes) {
        boolean all = prefixes.stream().anyMatch(prefix -> prefix.values().isEmpty() && prefix.next().isEmpty());
        boolean cut = prefixes.stream().anyMatch(prefix -> prefix.isPartOfPartition(dataset));
        return new LabelSelection(values, LabelPartition.of(dataset, prefixes),
                all ? List.of() : prefixes.stream().map(prefix -> prefix.partitionKey(tenant, dataset)).distinct().toList(),
                cut ? prefixes.stream().map(LabelPrefix::key).distinct().toList() : List.of());
    }

    /** Whether the labels are read from the table, in any granularity, and not from the index. */
    boolean isInTable() {
        return !partitions.isEmpty();
    }
}
