package dev.windrow.gather.answer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankOrder.Place;
import dev.windrow.table.Label;

/**
 * The place of a label in a list, with its neighbors. Labels with equal values share a place, and the places after it are
 * skipped: 1, 2, 2, 4.
 *
 * @param own the label itself; empty if it has no value
 * @param items the label and its neighbors, in order; none if it has no value
 */
public record Position(Optional<Item> own, List<Item> items) {

    /** Of a label without a value. */
    public static final Position NONE = new Position(Optional.empty(), List.of());

    /**
     * A label in the list.
     *
     * @param place from 1 on
     * @param label the label
     * @param value what it is ordered by
     */
    public record Item(long place, Label label, BigDecimal value) {
    }

    /**
     * Finds a label among all labels of the list.
     *
     * @param measure the index of the measure in the dataset
     */
    public static Position among(Map<Label, MeasureValues> sums, Label label, int measure, RankOrder order, int around) {
        List<Place> all = new ArrayList<>();
        sums.forEach((any, values) -> values.shown(measure).ifPresent(number -> all.add(new Place(number, any))));
        all.sort(order.places());
        int at = 0;
        while (at < all.size() && !all.get(at).label().equals(label)) {
            at++;
        }
        if (at == all.size()) {
            return NONE;
        }
        int from = Math.max(0, at - around);
        List<Item> items = new ArrayList<>();
        for (int i = from; i < Math.min(all.size(), at + around + 1); i++) {
            Place place = all.get(i);
            items.add(new Item(1 + firstOf(all, i, order), place.label(), place.number()));
        }
        return new Position(Optional.of(items.get(at - from)), items);
    }

    /** The index of the first item with the same number. */
    private static int firstOf(List<Place> all, int index, RankOrder order) {
        int low = 0;
        int high = index;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (order.numbers().compare(all.get(middle).number(), all.get(index).number()) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * What lies on one side of the label.
     *
     * @param nearest the nearest labels, nearest first
     * @param counts how many labels on this side have each number, from the label's own up to that of the last of these
     */
    public record Side(List<Place> nearest, SortedMap<BigDecimal, Integer> counts) {

        /** How many labels are nearer than those with a number, not counting those with the label's own number. */
        private long nearer(BigDecimal own, BigDecimal number) {
            return counts.headMap(number).entrySet().stream().filter(entry -> entry.getKey().compareTo(own) != 0)
                    .mapToLong(Map.Entry::getValue).sum();
        }

        /** How many labels, up to the last of the nearest, have another number than the label's own. */
        private long others(BigDecimal own) {
            BigDecimal last = nearest.isEmpty() ? own : nearest.get(nearest.size() - 1).number();
            return last.compareTo(own) == 0 ? 0 : nearer(own, last) + with(last);
        }

        private long with(BigDecimal number) {
            return counts.getOrDefault(number, 0);
        }
    }

    /**
     * Combines what was read around a label. The reads are of different moments, so there may be more labels before it than
     * were counted.
     *
     * @param ahead how many labels were counted whose number comes before its own
     */
    public static Position of(Place own, long ahead, Side before, Side after) {
        long place = 1 + Math.max(ahead, before.others(own.number()));
        long equals = 1 + before.with(own.number()) + after.with(own.number());
        List<Item> items = new ArrayList<>();
        for (Place other : before.nearest()) {
            boolean equal = other.number().compareTo(own.number()) == 0;
            items.add(new Item(equal ? place
                    : place - before.nearer(own.number(), other.number()) - before.with(other.number()), other.label(),
                    other.number()));
        }
        Collections.reverse(items);
        Item self = new Item(place, own.label(), own.number());
        items.add(self);
        for (Place other : after.nearest()) {
            boolean equal = other.number().compareTo(own.number()) == 0;
            items.add(new Item(equal ? place : place + equals + after.nearer(own.number(), other.number()), other.label(),
                    other.number()));
        }
        return new Position(Optional.of(self), items);
    }
}
