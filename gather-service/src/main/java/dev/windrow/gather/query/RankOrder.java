package dev.windrow.gather.query;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;

import dev.windrow.table.Label;
import dev.windrow.table.Utf8Order;

/**
 * The order of top lists: by number, equals in the order of their labels.
 *
 * @param numbers the order of numbers
 * @param places the order itself
 */
public record RankOrder(Comparator<BigDecimal> numbers, Comparator<Place> places) {

    /** The order of a ranking. */
    public static RankOrder of(Ranking ranking) {
        Comparator<BigDecimal> numbers = ranking.comparator();
        return new RankOrder(numbers, Comparator.comparing(Place::number, numbers)
                .thenComparing(place -> place.label().values(), RankOrder::compareLabels));
    }

    /** The order of encoded keys, which compare part by part, without encoding them: lists have many equals. */
    private static int compareLabels(List<String> a, List<String> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = Utf8Order.ASCENDING.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    /** The reverse order, also of equals. */
    public RankOrder reversed() {
        return new RankOrder(numbers.reversed(), places.reversed());
    }

    /**
     * A place in a top list.
     *
     * @param number what it is ordered by
     * @param label which of those with that number
     */
    public record Place(BigDecimal number, Label label) {
    }
}
