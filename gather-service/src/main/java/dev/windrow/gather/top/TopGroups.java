package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.table.Label;

/** Picks the groups that come first, by a measure or by its change; equal groups are in the order of their labels. */
public record TopGroups(List<Measure> measures, Grouping grouping, Column by, Ranking ranking) {

    private record Ranked(GroupSum sum, RankPlace place) {
    }

    /**
     * Returns the first groups after a place, by the measure itself. A count or sum that a group lacks is zero; groups
     * without a value of another measure are left out.
     */
    public List<GroupSum> top(Map<Label, MeasureValues> sums, Optional<RankPlace> after, int wanted) {
        Comparator<RankPlace> places = RankOrder.of(ranking).places();
        List<Ranked> ranked = new ArrayList<>();
        sums.forEach((label, values) -> {
            if (isListed(values)) {
                Optional.ofNullable(values.total(by))
                        .map(number -> new Ranked(new GroupSum(label, values, Optional.empty()), new RankPlace(number, label)))
                        .filter(group -> after.isEmpty() || places.compare(group.place(), after.get()) > 0)
                        .ifPresent(ranked::add);
            }
        });
        return first(ranked, wanted);
    }

    /** How many groups there are in all pages. */
    long listed(Map<Label, MeasureValues> sums) {
        return sums.values().stream().filter(values -> isListed(values) && values.total(by) != null).count();
    }

    /**
     * Returns the first groups by change. A group that is in only one of the ranges has counts and sums of zero in the
     * other. If a measure of another kind has no value in one of them, there is no change, and the group is left out.
     */
    public List<GroupSum> movers(Map<Label, MeasureValues> now, Map<Label, MeasureValues> then, int wanted) {
        Set<Label> labels = new HashSet<>(now.keySet());
        labels.addAll(then.keySet());
        MeasureValues nothing = MeasureValues.none(measures);
        List<Ranked> ranked = new ArrayList<>();
        for (Label label : labels) {
            MeasureValues after = now.getOrDefault(label, nothing);
            MeasureValues before = then.getOrDefault(label, nothing);
            if (isListed(after) || isListed(before)) {
                BigDecimal later = after.total(by);
                BigDecimal earlier = before.total(by);
                if (later != null && earlier != null) {
                    ranked.add(new Ranked(new GroupSum(label, after, Optional.of(before)),
                            new RankPlace(later.subtract(earlier), label)));
                }
            }
        }
        return first(ranked, wanted);
    }

    private List<GroupSum> first(List<Ranked> ranked, int wanted) {
        return ranked.stream().sorted(Comparator.comparing(Ranked::place, RankOrder.of(ranking).places())).limit(wanted)
                .map(Ranked::sum).toList();
    }

    private boolean isListed(MeasureValues values) {
        Optional<Threshold> least = grouping.least();
        return least.isEmpty() || Optional.ofNullable(values.total(least.get().column()))
                .filter(value -> value.compareTo(least.get().atLeast()) >= 0).isPresent();
    }
}
