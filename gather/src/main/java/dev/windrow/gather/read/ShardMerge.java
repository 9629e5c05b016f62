package dev.windrow.gather.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.table.Utf8Order;

/**
 * Merges shards, each sorted by key, into one sorted sequence (a k-way merge), as far as the items fed so far allow: nothing
 * can be taken while a shard that has not ended is empty, as its next item may be the first of all.
 * <p>
 * Not thread-safe: one caller at a time.
 */
public final class ShardMerge {

    private final boolean descending;
    private final List<Shard> shards;
    /** Those with items, by the next one. */
    private final PriorityQueue<Shard> filled = new PriorityQueue<>(this::compare);
    private int starved;
    /** Whether all keys so far are in natural order, as nearly all are. */
    private boolean natural = true;

    private static final class Shard {
        private final Deque<ShardItem> items = new ArrayDeque<>();
        private boolean ended;
    }

    /** @param count how many shards, numbered from 0 */
    public ShardMerge(int count, boolean descending) {
        this.descending = descending;
        this.shards = Stream.generate(Shard::new).limit(count).toList();
        this.starved = count;
    }

    /**
     * Adds a shard's next items.
     *
     * @param items sorted, after all given before; may be none
     * @param last whether the shard has no more
     */
    public void feed(int number, List<ShardItem> items, boolean last) {
        Shard shard = shards.get(number);
        if (shard.ended) {
            throw new IllegalStateException("shard " + number + " has ended");
        }
        for (int i = 0; natural && i < items.size(); i++) {
            natural = Utf8Order.isNatural(items.get(i).key());
        }
        boolean wasStarved = shard.items.isEmpty();
        shard.items.addAll(items);
        shard.ended = last;
        if (wasStarved && !shard.items.isEmpty()) {
            starved--;
            filled.add(shard);
        } else if (wasStarved && last) {
            starved--;
        }
    }

    /** Whether nothing can be taken before this shard is fed. */
    boolean isStarved(int number) {
        Shard shard = shards.get(number);
        return !shard.ended && shard.items.isEmpty();
    }

    /** Whether a shard that has not ended has fewer items left than that. */
    boolean isBelow(int number, int items) {
        Shard shard = shards.get(number);
        return !shard.ended && shard.items.size() < items;
    }

    public boolean isStalled() {
        return starved > 0;
    }

    /** Whether all shards have ended and everything was taken. */
    boolean isFinished() {
        return starved == 0 && filled.isEmpty();
    }

    public boolean hasNext() {
        return starved == 0 && !filled.isEmpty();
    }

    /** Takes the next item; only if there {@link #hasNext() is} one. */
    public ShardItem next() {
        if (!hasNext()) {
            throw new IllegalStateException("nothing to take");
        }
        Shard top = filled.remove();
        ShardItem item = top.items.remove();
        if (!top.items.isEmpty()) {
            filled.add(top);
        } else if (!top.ended) {
            starved++;
        }
        return item;
    }

    private int compare(Shard first, Shard second) {
        String a = first.items.element().key();
        String b = second.items.element().key();
        int order = natural ? a.compareTo(b) : Utf8Order.ASCENDING.compare(a, b);
        return descending ? -order : order;
    }

    /**
     * Combines the key shards of one bucket, which are neighbors in key order. A bucket is complete when an item of another
     * one follows, or the end.
     */
    static final class KeyShardGroups {

        private @Nullable Group open;

        /** Takes the next item; returns the previous bucket if this item starts another one. */
        public Optional<Group> add(ShardItem item) {
            Group last = open;
            if (last != null && last.position().equals(item.group())) {
                open = new Group(last.position(), last.values().combine(item.values()));
                return Optional.empty();
            }
            open = new Group(item.group(), item.values());
            return Optional.ofNullable(last);
        }

        /** Returns the last bucket, if there is one; no more items may follow. */
        public Optional<Group> end() {
            Group last = open;
            open = null;
            return Optional.ofNullable(last);
        }

        /**
         * A whole bucket.
         *
         * @param position what its key shards' keys begin with
         */
        public record Group(String position, MeasureValues values) {
        }
    }

    /**
     * One item as a shard answered it.
     *
     * @param key its sort key: what shards are sorted and merged by
     * @param group the beginning of the key that key shards of one bucket share; the whole key where it has no key shard
     */
    public record ShardItem(String key, String group, MeasureValues values) {
    }
}
