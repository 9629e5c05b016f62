package dev.windrow.gather.query;

import java.math.BigDecimal;
import java.util.Comparator;

import dev.windrow.key.KeyCodec;
import dev.windrow.key.Label;
import dev.windrow.key.Utf8Order;

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
                .thenComparing(place -> KeyCodec.encode(place.label().values()), Utf8Order.ASCENDING));
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
