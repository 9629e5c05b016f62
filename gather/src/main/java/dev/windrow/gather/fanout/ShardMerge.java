package dev.windrow.gather.fanout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

import dev.windrow.gather.read.ShardItem;
import dev.windrow.table.Utf8Order;

/**
 * Merges shards, each sorted by key, into one sorted sequence (a k-way merge), as far as the items fed so far allow: nothing
 * can be taken while a shard that has not ended is empty, as its next item may be the first of all. A binary heap holds the
 * shards by their next item; taking one sifts the top down once, whereas a {@code PriorityQueue} would sift twice.
 * <p>
 * Not thread-safe: one caller at a time.
 */
public final class ShardMerge {

    private final boolean descending;
    private final List<Shard> shards;
    private final Shard[] heap;
    private int heapSize;
    private int starved;
    /** Whether all keys so far are in natural order, as nearly all are. */
    private boolean natural = true;

    private static final class Shard {
        private final Deque<ShardItem> items = new ArrayDeque<>();
        /** The key of the next item, cached because the heap compares it often; empty if there is no item. */
        private String nextKey = "";
        private boolean ended;

        private void add(List<ShardItem> more) {
            items.addAll(more);
            findNextKey();
        }

        private ShardItem take() {
            ShardItem taken = items.remove();
            findNextKey();
            return taken;
        }

        private void findNextKey() {
            ShardItem next = items.peek();
            nextKey = next == null ? "" : next.key();
        }
    }

    /** @param count how many shards, numbered from 0 */
    public ShardMerge(int count, boolean descending) {
        this.descending = descending;
        this.shards = Stream.generate(Shard::new).limit(count).toList();
        this.heap = new Shard[count];
        this.starved = count;
    }

    /**
     * Adds a shard's next items.
     *
     * @param items sorted, and after all items fed before; may be empty
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
        shard.add(items);
        shard.ended = last;
        if (wasStarved && !shard.items.isEmpty()) {
            starved--;
            push(shard);
        } else if (wasStarved && last) {
            starved--;
        }
    }

    /** Whether nothing can be taken before this shard is fed. */
    boolean isStarved(int number) {
        Shard shard = shards.get(number);
        return !shard.ended && shard.items.isEmpty();
    }

    /** Whether a shard that has not ended has fewer items left than this. */
    boolean isBelow(int number, int items) {
        Shard shard = shards.get(number);
        return !shard.ended && shard.items.size() < items;
    }

    public boolean isStalled() {
        return starved > 0;
    }

    /** Whether all shards have ended and everything was taken. */
    boolean isFinished() {
        return starved == 0 && heapSize == 0;
    }

    public boolean hasNext() {
        return starved == 0 && heapSize > 0;
    }

    /** Takes the next item; only if there {@link #hasNext() is} one. */
    public ShardItem next() {
        if (!hasNext()) {
            throw new IllegalStateException("nothing to take");
        }
        Shard top = heap[0];
        ShardItem item = top.take();
        if (top.items.isEmpty()) {
            heapSize--;
            heap[0] = heap[heapSize];
            if (!top.ended) {
                starved++;
            }
        }
        siftDown();
        return item;
    }

    private boolean isBefore(String a, String b) {
        int order = natural ? a.compareTo(b) : Utf8Order.ASCENDING.compare(a, b);
        return descending ? order > 0 : order < 0;
    }

    private void push(Shard shard) {
        int child = heapSize++;
        String key = shard.nextKey;
        while (child > 0) {
            int parent = (child - 1) / 2;
            if (!isBefore(key, heap[parent].nextKey)) {
                break;
            }
            heap[child] = heap[parent];
            child = parent;
        }
        heap[child] = shard;
    }

    private void siftDown() {
        if (heapSize == 0) {
            return;
        }
        Shard moved = heap[0];
        String key = moved.nextKey;
        int parent = 0;
        while (2 * parent + 1 < heapSize) {
            int child = 2 * parent + 1;
            if (child + 1 < heapSize && isBefore(heap[child + 1].nextKey, heap[child].nextKey)) {
                child++;
            }
            if (!isBefore(heap[child].nextKey, key)) {
                break;
            }
            heap[parent] = heap[child];
            parent = child;
        }
        heap[parent] = moved;
    }

}
