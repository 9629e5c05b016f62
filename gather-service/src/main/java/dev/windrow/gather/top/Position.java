package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.table.Label;

/**
 * The place of a label in a list, with its neighbors. Labels with equal values share a place, and the places after it are
 * skipped: 1, 2, 2, 4.
 *
 * @param own the label itself; empty if it has no value
 * @param items the label and its neighbors, in order; none if it has no value
 */
public record Position(Optional<PlaceView> own, List<PlaceView> items) {

    public static final Position NONE = new Position(Optional.empty(), List.of());

    /** Finds a label among all labels of the list. */
    public static Position among(Map<Label, MeasureValues> sums, Label label, Column by, RankOrder order, int around) {
        List<RankPlace> all = new ArrayList<>();
        sums.forEach((any, values) -> values.shown(by).ifPresent(number -> all.add(new RankPlace(number, any))));
        all.sort(order.places());
        int at = all.stream().map(RankPlace::label).toList().indexOf(label);
        if (at < 0) {
            return NONE;
        }
        int from = Math.max(0, at - around);
        BigDecimal first = all.get(from).number();
        long place = 1 + all.stream().filter(any -> order.numbers().compare(any.number(), first) < 0).count();
        List<PlaceView> items = new ArrayList<>();
        for (int i = from; i < Math.min(all.size(), at + around + 1); i++) {
            RankPlace each = all.get(i);
            place = i == from || order.numbers().compare(all.get(i - 1).number(), each.number()) == 0 ? place : i + 1;
            items.add(PlaceView.of(place, each));
        }
        return new Position(Optional.of(items.get(at - from)), items);
    }

    /**
     * Combines the reads around a label. They are from different moments, so there may be more labels before it than were
     * counted.
     *
     * @param ahead number of labels counted ahead of its number
     */
    public static Position of(RankPlace own, long ahead, PositionSide before, PositionSide after) {
        long place = 1 + Math.max(ahead, before.others(own.number()));
        long equals = 1 + before.with(own.number()) + after.with(own.number());
        List<PlaceView> items = new ArrayList<>();
        for (RankPlace other : before.nearest()) {
            boolean equal = other.number().compareTo(own.number()) == 0;
            items.add(PlaceView.of(equal ? place
                    : place - before.nearer(own.number(), other.number()) - before.with(other.number()), other));
        }
        Collections.reverse(items);
        PlaceView self = PlaceView.of(place, own);
        items.add(self);
        for (RankPlace other : after.nearest()) {
            boolean equal = other.number().compareTo(own.number()) == 0;
            items.add(PlaceView.of(equal ? place : place + equals + after.nearer(own.number(), other.number()), other));
        }
        return new Position(Optional.of(self), items);
    }
}
