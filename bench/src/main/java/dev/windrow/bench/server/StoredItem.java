package dev.windrow.bench.server;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a stored item: how large each of its attributes is, and which index partition has it. An item keeps the
 * index partition of its first write, as the writer's upserts have it.
 */
final class StoredItem {

    private final Map<String, Integer> bytesOf = new HashMap<>();
    private @Nullable String indexPartitionKey;
    private int bytes;

    /** The size it has after a write: of a set the members are added, of anything else the larger value counts. */
    int bytesAfter(ItemWrite write) {
        int after = bytes;
        for (ItemWrite.Attribute attribute : write.attributes()) {
            int before = bytesOf.getOrDefault(attribute.name(), 0);
            after += after(attribute, before) - before;
        }
        return after;
    }

    private static int after(ItemWrite.Attribute attribute, int before) {
        return attribute.members() > 0 && before > 0 ? before + attribute.members()
                : Math.max(before, attribute.bytes() + attribute.members());
    }

    /** The index partition that has it after a write, or null if it is not in the index. */
    @Nullable
    String indexPartitionKeyAfter(ItemWrite write) {
        return indexPartitionKey == null ? write.indexPartitionKey() : indexPartitionKey;
    }

    void apply(ItemWrite write) {
        indexPartitionKey = indexPartitionKeyAfter(write);
        bytes = bytesAfter(write);
        for (ItemWrite.Attribute attribute : write.attributes()) {
            bytesOf.merge(attribute.name(), after(attribute, 0), (before, whole) -> after(attribute, before));
        }
    }
}
