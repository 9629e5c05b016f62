package dev.windrow.gather.merge;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Puts the key shards of one bucket, which stand next to each other in key order, together again. A bucket is known to be
 * whole when an item of another follows, or none does.
 */
public final class KeyShardGroups {

    private @Nullable String group;
    private @Nullable MeasureValues values;

    /** Takes the next item; gives the bucket before it if this one begins another. */
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

    /** Gives the last bucket, if there is one; no more items may follow. */
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
