package dev.windrow.gather.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;

/**
 * The selected labels of one partition key of the table, key shards aside.
 *
 * @param first the values in the partition key, which the labels share
 * @param prefixes how the labels begin as keys are written, exactly one of these each; none for all labels of the partition
 */
public record LabelPartition(List<String> first, List<String> prefixes) {

    public LabelPartition {
        first = List.copyOf(first);
        prefixes = List.copyOf(prefixes);
    }

    /** The partitions of selected labels; none if not all labels are given with all values of the partition key. */
    static List<LabelPartition> of(Dataset dataset, List<LabelPrefix> selected) {
        if (!selected.stream().allMatch(prefix -> prefix.isInOnePartition(dataset))) {
            return List.of();
        }
        Map<List<String>, Set<String>> parts = new LinkedHashMap<>();
        Set<List<String>> whole = new LinkedHashSet<>();
        for (LabelPrefix prefix : selected) {
            List<String> first = prefix.values().subList(0, dataset.partition());
            Set<String> prefixes = parts.computeIfAbsent(first, absent -> new LinkedHashSet<>());
            if (prefix.isPartOfPartition(dataset)) {
                prefixes.add(prefix.key());
            } else {
                whole.add(first);
            }
        }
        List<LabelPartition> partitions = new ArrayList<>();
        parts.forEach((first, prefixes) -> partitions
                .add(new LabelPartition(first, whole.contains(first) ? List.of() : withoutCovered(prefixes))));
        return partitions;
    }

    private static List<String> withoutCovered(Set<String> prefixes) {
        return prefixes.stream().filter(prefix -> prefixes.stream()
                .noneMatch(other -> prefix.startsWith(other) && !prefix.equals(other))).toList();
    }

    /** The part of a prefix that is about values which are not in the partition key. */
    String rest(String prefix) {
        int values = first.size();
        int from = 0;
        for (int i = 0; i < values; i++) {
            from = prefix.indexOf(KeyCodec.SEPARATOR, from) + 1;
        }
        return prefix.substring(from);
    }
}
