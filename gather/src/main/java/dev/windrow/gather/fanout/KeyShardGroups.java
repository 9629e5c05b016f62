package dev.windrow.gather.fanout;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.read.ShardItem;

/**
 * Combines the key shards of one bucket, which are neighbors in key order. A bucket is complete when an item of another one
 * follows, or at the end.
 */
final class KeyShardGroups {

    private @Nullable ShardItem open;

    /** Takes the next item; returns the previous bucket if this item starts another one. */
    public Optional<ShardItem> add(ShardItem item) {
        ShardItem last = open;
        if (last != null && last.group().equals(item.group())) {
            open = new ShardItem(last.key(), last.group(), last.values().combine(item.values()));
            return Optional.empty();
        }
        open = item;
        return Optional.ofNullable(last);
    }

    /** Returns the last bucket, if there is one; no more items may follow. */
    public Optional<ShardItem> end() {
        return Optional.ofNullable(open);
    }
}
