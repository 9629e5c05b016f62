package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import dev.windrow.gather.rank.RankPlace;

/**
 * The labels on one side of the label.
 *
 * @param nearest the nearest labels, nearest first
 * @param counts number of labels on this side by number, from the label's own up to that of the last of the nearest
 */
public record PositionSide(List<RankPlace> nearest, SortedMap<BigDecimal, Integer> counts) {

    /** How many labels are nearer than those with a number, not counting those with the label's own number. */
    long nearer(BigDecimal own, BigDecimal number) {
        return counts.headMap(number).entrySet().stream().filter(entry -> entry.getKey().compareTo(own) != 0)
                .mapToLong(Map.Entry::getValue).sum();
    }

    /** How many labels, up to the last of the nearest, have a number other than the label's own. */
    long others(BigDecimal own) {
        BigDecimal last = nearest.isEmpty() ? own : nearest.get(nearest.size() - 1).number();
        return last.compareTo(own) == 0 ? 0 : nearer(own, last) + with(last);
    }

    long with(BigDecimal number) {
        return counts.getOrDefault(number, 0);
    }
}
