package dev.windrow.gather.label;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;

/**
 * The selected labels of one partition key of the table, key shards aside.
 *
 * @param first the values in the partition key, which the labels share
 * @param prefixes encoded prefixes: each label has exactly one of these; empty for all labels of the partition
 */
public record LabelPartition(List<String> first, List<String> prefixes) {

    /** The partitions of selected labels; empty unless all labels are given with all values of the partition key. */
    public static List<LabelPartition> of(Dataset dataset, List<LabelPrefix> selected) {
        if (!selected.stream().allMatch(prefix -> prefix.isInOnePartition(dataset))) {
            return List.of();
        }
        Map<List<String>, List<LabelPrefix>> parts = selected.stream().collect(Collectors.groupingBy(
                prefix -> prefix.values().subList(0, dataset.partition()), LinkedHashMap::new, Collectors.toList()));
        return parts.entrySet().stream().map(part -> new LabelPartition(part.getKey(),
                part.getValue().stream().allMatch(prefix -> prefix.isPartOfPartition(dataset))
                        ? withoutCovered(part.getValue().stream().map(LabelPrefix::key).distinct().toList())
                        : List.of()))
                .toList();
    }

    private static List<String> withoutCovered(List<String> prefixes) {
        return prefixes.stream().filter(prefix -> prefixes.stream()
                .noneMatch(other -> prefix.startsWith(other) && !prefix.equals(other))).toList();
    }

    /** The part of a prefix after the values that are in the partition key. */
    public String rest(String prefix) {
        int values = first.size();
        int from = 0;
        for (int i = 0; i < values; i++) {
            from = prefix.indexOf(KeyCodec.SEPARATOR, from) + 1;
        }
        return prefix.substring(from);
    }
}
