package dev.windrow.gather.fanout;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.table.Label;

/** Finds the first items of several shards, each ordered by number, but with equal numbers in no order. Not thread-safe. */
public final class RankSearch {

    private static final int PAGE_GROWTH = 4;

    final List<Shard> shards;
    private final Column by;
    private final RankOrder order;
    private final Optional<RankPlace> after;
    final int wanted;
    private final SortedMap<BigDecimal, Integer> counts;
    /** The first items so far, the last of them on top. */
    private final PriorityQueue<Item> best;
    private final Set<Label> held = new HashSet<>();
    private List<Item> first = List.of();

    RankSearch(List<ShardQuery> queries, Column by, RankOrder order, Optional<RankPlace> after, int wanted) {
        this.shards = queries.stream().map(Shard::new).toList();
        this.by = by;
        this.order = order;
        this.after = after;
        this.wanted = wanted;
        this.counts = new TreeMap<>(order.numbers());
        this.best = new PriorityQueue<>(Comparator.comparing(Item::place, order.reversed().places()));
    }

    /**
     * An item that was found.
     *
     * @param place where it is in the list
     * @param values the measure of the list only
     */
    public record Item(RankPlace place, MeasureValues values) {
    }

    public List<Item> first() {
        return first;
    }

    /** The count of items after the place for each number, up to the number of the last item. */
    public SortedMap<BigDecimal, Integer> counts() {
        return counts;
    }

    /** The shards that may have more of the first items, or items with the same number as the last one. */
    List<Shard> due() {
        return shards.stream().filter(shard -> {
            BigDecimal last = shard.last == null ? null : shown(shard.last);
            return !shard.ended && (last == null || first.size() < wanted
                    || order.numbers().compare(last, first.get(wanted - 1).place().number()) <= 0);
        }).toList();
    }

    int pageSize(Shard shard, int usual, int largest) {
        shard.page = shard.page == 0 ? Math.max(1, usual) : Math.min(Math.max(largest, usual), PAGE_GROWTH * shard.page);
        return shard.page;
    }

    /** Merges the pages that the shards have read. */
    void merge() {
        for (Shard shard : shards) {
            shard.read.forEach(this::add);
            shard.read = List.of();
        }
        first = best.stream().sorted(Comparator.comparing(Item::place, order.places())).toList();
        if (first.size() == wanted) {
            BigDecimal last = first.get(wanted - 1).place().number();
            counts.keySet().removeIf(number -> order.numbers().compare(number, last) > 0);
        }
    }

    private void add(ShardItem item) {
        BigDecimal number = shown(item);
        Item last = best.peek();
        if (last != null && best.size() == wanted && order.numbers().compare(number, last.place().number()) > 0) {
            return;
        }
        RankPlace place = new RankPlace(number, item.label());
        if (after.isPresent() && order.places().compare(place, after.get()) <= 0) {
            return;
        }
        // A label whose value changes between two pages may be read twice. It keeps its first place: items that it
        // displaced from the list may be gone.
        if (held.add(place.label())) {
            counts.merge(number, 1, Integer::sum);
            best.add(new Item(place, item.values()));
            if (best.size() > wanted) {
                held.remove(best.remove().place().label());
            }
        }
    }

    private BigDecimal shown(ShardItem item) {
        return item.values().shown(by).orElseThrow();
    }

    static final class Shard {

        final ShardQuery query;
        Optional<Map<String, String>> position = Optional.empty();
        private List<ShardItem> read = List.of();
        private @Nullable ShardItem last;
        boolean ended;
        /** How many items were read. */
        long items;
        private int page;

        Shard(ShardQuery query) {
            this.query = query;
        }

        /** @param page the next page; empty ends the shard */
        void take(Optional<ShardPage> page) {
            page.ifPresentOrElse(this::take, () -> ended = true);
        }

        void take(ShardPage next) {
            position = next.next();
            ended = position.isEmpty();
            items += next.scannedItems();
            read = next.items();
            last = read.isEmpty() ? last : read.get(read.size() - 1);
        }
    }
}
