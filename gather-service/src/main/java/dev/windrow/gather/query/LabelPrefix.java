package dev.windrow.gather.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;

/**
 * How the selected labels begin.
 *
 * @param values their first values; none, and no next, for all labels
 * @param next how the value after these begins; empty for any
 */
record LabelPrefix(List<String> values, Optional<String> next) {

    LabelPrefix {
        values = List.copyOf(values);
    }

    /** Whether all these labels have the same partition key in the table, but for the key shard. */
    boolean isInOnePartition(Dataset dataset) {
        return values.size() >= dataset.partition();
    }

    /** Whether other labels have that partition key as well. */
    boolean isPartOfPartition(Dataset dataset) {
        return values.size() > dataset.partition() || (values.size() == dataset.partition() && next.isPresent());
    }

    /** How the labels begin as keys are written, up to where any label or key shard may follow. */
    String key() {
        List<String> parts = new ArrayList<>(values);
        parts.add(next.orElse(""));
        return KeyCodec.encode(parts);
    }

    /** How the labels' partition keys in the table begin. */
    String partitionKey(String tenant, Dataset dataset) {
        List<String> parts = new ArrayList<>(List.of(tenant, dataset.name()));
        if (isInOnePartition(dataset)) {
            parts.addAll(values.subList(0, dataset.partition()));
            parts.add("");
        } else {
            parts.addAll(values);
            parts.add(next.orElse(""));
        }
        return KeyCodec.encode(parts);
    }
}
