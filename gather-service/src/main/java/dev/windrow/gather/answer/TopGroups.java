package dev.windrow.gather.answer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.windrow.dataset.Measure;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.Grouping;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankOrder.Place;
import dev.windrow.gather.query.Ranking;
import dev.windrow.gather.query.Threshold;
import dev.windrow.table.Label;

/** Picks the groups that come first, by a measure or by its change; equals in the order of their labels. */
public final class TopGroups {

    private final List<Measure> measures;
    private final Grouping grouping;
    private final Measure by;
    private final RankOrder order;
    private final int n;

    /**
     * @param measures of the dataset
     * @param by the measure to order by
     * @param n how many
     */
    public TopGroups(List<Measure> measures, Grouping grouping, Measure by, Ranking ranking, int n) {
        this.measures = measures;
        this.grouping = grouping;
        this.by = by;
        this.order = RankOrder.of(ranking);
        this.n = n;
    }

    /**
     * A group with its sums.
     *
     * @param label the values that its labels share
     * @param values its measures over the range
     * @param against the same over the range that it is compared with; empty if with none
     */
    public record Sum(Label label, MeasureValues values, Optional<MeasureValues> against) {
    }

    private record Ranked(Sum sum, BigDecimal number) {

        Place place() {
            return new Place(number, sum.label());
        }
    }

    /** The first by the measure itself. Groups without a value of it are left out. */
    public List<Sum> top(Map<Label, MeasureValues> sums) {
        return top(sums, Optional.empty(), n);
    }

    /** The first groups after a place, by the measure itself. */
    public List<Sum> top(Map<Label, MeasureValues> sums, Optional<Place> after, int wanted) {
        List<Ranked> ranked = new ArrayList<>();
        sums.forEach((label, values) -> {
            if (isListed(values)) {
                values.shown(index(by)).map(number -> new Ranked(new Sum(label, values, Optional.empty()), number))
                        .filter(group -> after.isEmpty() || order.places().compare(group.place(), after.get()) > 0)
                        .ifPresent(ranked::add);
            }
        });
        return first(ranked, wanted);
    }

    /**
     * The first by the change. A group that is in one of the ranges only has counts and sums of zero in the other; where a
     * measure of another kind has no value in one of them there is no change, and the group is left out.
     */
    public List<Sum> movers(Map<Label, MeasureValues> now, Map<Label, MeasureValues> then) {
        Set<Label> labels = new HashSet<>(now.keySet());
        labels.addAll(then.keySet());
        MeasureValues nothing = MeasureValues.none(measures);
        List<Ranked> ranked = new ArrayList<>();
        for (Label label : labels) {
            MeasureValues after = now.getOrDefault(label, nothing);
            MeasureValues before = then.getOrDefault(label, nothing);
            if (isListed(after) || isListed(before)) {
                number(after).flatMap(value -> number(before).map(value::subtract)).ifPresent(
                        change -> ranked.add(new Ranked(new Sum(label, after, Optional.of(before)), change)));
            }
        }
        return first(ranked, n);
    }

    private List<Sum> first(List<Ranked> ranked, int wanted) {
        return ranked.stream().sorted(Comparator.comparing(Ranked::place, order.places())).limit(wanted).map(Ranked::sum)
                .toList();
    }

    /** The place of a group in the list; only in lists by the measure itself. */
    public Place place(Sum sum) {
        return new Place(sum.values().shown(index(by)).orElseThrow(), sum.label());
    }

    private boolean isListed(MeasureValues values) {
        Optional<Threshold> least = grouping.least();
        return least.isEmpty() || values.shown(index(least.get().measure()))
                .filter(value -> value.compareTo(least.get().atLeast()) >= 0).isPresent();
    }

    private Optional<BigDecimal> number(MeasureValues values) {
        return values.shown(index(by))
                .or(() -> by.kind().isAdditive() ? Optional.of(BigDecimal.ZERO) : Optional.empty());
    }

    private int index(Measure measure) {
        return measures.indexOf(measure);
    }
}
