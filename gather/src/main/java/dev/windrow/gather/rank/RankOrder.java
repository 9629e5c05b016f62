package dev.windrow.gather.rank;

import java.math.BigDecimal;
import java.util.Comparator;

/**
 * The order of top lists: by number, then by label.
 *
 * @param places the order of places: by number, then by label
 */
public record RankOrder(Comparator<BigDecimal> numbers, Comparator<RankPlace> places) {

    public static RankOrder of(Ranking ranking) {
        Comparator<BigDecimal> numbers = ranking.comparator();
        return new RankOrder(numbers, Comparator.comparing(RankPlace::number, numbers).thenComparing(RankPlace::label));
    }

    /** The reverse order, also by label. */
    public RankOrder reversed() {
        return new RankOrder(numbers.reversed(), places.reversed());
    }

}
