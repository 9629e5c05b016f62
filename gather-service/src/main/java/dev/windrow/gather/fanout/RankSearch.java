package dev.windrow.gather.fanout;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankOrder.Place;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.table.Label;

/**
 * Finds the first items of several shards, each of which has its items in the order of numbers, but equal numbers in no
 * order. Not thread-safe.
 */
public final class RankSearch {

    private static final int PAGE_GROWTH = 4;

    private final List<Shard> shards;
    private final int measure;
    private final RankOrder order;
    private final Optional<Place> after;
    private final int wanted;
    private final SortedMap<BigDecimal, Integer> counts;
    /** The last of the first items on top. */
    private final PriorityQueue<Item> best;
    /** The labels of the best. */
    private final Set<Label> held = new HashSet<>();
    private List<Item> first = List.of();

    RankSearch(List<ShardQuery> queries, int measure, RankOrder order, Optional<Place> after, int wanted) {
        this.shards = queries.stream().map(Shard::new).toList();
        this.measure = measure;
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
    public record Item(Place place, MeasureValues values) {
    }

    /** The first items, in order. */
    public List<Item> first() {
        return first;
    }

    /** How many items beyond the place have each number, up to that of the last item. */
    public SortedMap<BigDecimal, Integer> counts() {
        return counts;
    }

    int wanted() {
        return wanted;
    }

    int shards() {
        return shards.size();
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

    /** Takes in what the shards have read. */
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
        Place place = new Place(number, label(item));
        if (after.isPresent() && order.places().compare(place, after.get()) <= 0) {
            return;
        }
        // A label whose value moves between two pages is read twice. It keeps the first place: items that would be in the
        // list without it may be dropped already.
        if (held.add(place.label())) {
            counts.merge(number, 1, Integer::sum);
            best.add(new Item(place, item.values()));
            if (best.size() > wanted) {
                held.remove(best.remove().place().label());
            }
        }
    }

    private BigDecimal shown(ShardItem item) {
        return item.values().shown(measure).orElseThrow();
    }

    private static Label label(ShardItem item) {
        List<String> parts = KeyCodec.decode(item.group());
        return new Label(parts.subList(1, parts.size()));
    }

    /** Where reading a shard stands. */
    static final class Shard {

        private final ShardQuery query;
        private Optional<ShardPage.Position> position = Optional.empty();
        private List<ShardItem> read = List.of();
        private @Nullable ShardItem last;
        private boolean ended;
        private long items;
        private int page;

        Shard(ShardQuery query) {
            this.query = query;
        }

        ShardQuery query() {
            return query;
        }

        Optional<ShardPage.Position> position() {
            return position;
        }

        boolean isEnded() {
            return ended;
        }

        /** How many items were read. */
        long items() {
            return items;
        }

        void take(ShardPage next) {
            position = next.next();
            ended = position.isEmpty();
            items += next.scannedItems();
            read = next.items();
            last = read.isEmpty() ? last : read.get(read.size() - 1);
        }

        void end() {
            ended = true;
        }
    }
}
