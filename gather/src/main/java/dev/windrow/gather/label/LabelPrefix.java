package dev.windrow.gather.label;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;

/**
 * A prefix of selected labels.
 *
 * @param values their first values; none, and no next, for all labels
 * @param next prefix of the value after these; empty for any
 */
public record LabelPrefix(List<String> values, Optional<String> next) {

    /** Whether all these labels have the same partition key in the table, apart from the key shard. */
    boolean isInOnePartition(Dataset dataset) {
        return values.size() >= dataset.partition();
    }

    /** Whether other labels have that partition key as well. */
    boolean isPartOfPartition(Dataset dataset) {
        return values.size() > dataset.partition() || (values.size() == dataset.partition() && next.isPresent());
    }

    /** The prefix as encoded in keys, up to where any label or key shard may follow. */
    String key() {
        List<String> parts = new ArrayList<>(values);
        parts.add(next.orElse(""));
        return KeyCodec.encode(parts);
    }

    /** The prefix of the labels' partition keys in the table. */
    String partitionKey(String tenant, Dataset dataset) {
        boolean whole = isInOnePartition(dataset);
        List<String> parts = new ArrayList<>(List.of(tenant, dataset.name()));
        parts.addAll(whole ? values.subList(0, dataset.partition()) : values);
        parts.add(whole ? "" : next.orElse(""));
        return KeyCodec.encode(parts);
    }
}
