package dev.windrow.gather.merge;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Combines the key shards of one bucket, which are neighbors in key order. A bucket is complete when an item of another
 * one follows, or the end.
 */
public final class KeyShardGroups {

    private @Nullable String group;
    private @Nullable MeasureValues values;

    /** Takes the next item; returns the previous bucket if this item starts another one. */
    public Optional<Group> add(ShardItem item) {
        String open = group;
        MeasureValues sum = values;
        if (open != null && sum != null && open.equals(item.group())) {
            values = sum.combine(item.values());
            return Optional.empty();
        }
        group = item.group();
        values = item.values();
        return open == null || sum == null ? Optional.empty() : Optional.of(new Group(open, sum));
    }

    /** Returns the last bucket, if there is one; no more items may follow. */
    public Optional<Group> end() {
        String open = group;
        MeasureValues sum = values;
        group = null;
        values = null;
        return open == null || sum == null ? Optional.empty() : Optional.of(new Group(open, sum));
    }

    /**
     * A whole bucket.
     *
     * @param position what its key shards' keys begin with
     * @param values its measures
     */
    public record Group(String position, MeasureValues values) {
    }
}
