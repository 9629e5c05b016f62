package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.top.PositionResource.PlaceView;
import dev.windrow.gather.top.PositionResource.Position;
import dev.windrow.gather.top.PositionResource.Position.Side;
import dev.windrow.table.Label;

class PositionTest {

    private static final Place OWN = place("own", 5);
    private static final Side NONE_AFTER = new Side(List.of(), new TreeMap<>());

    /** The count was read before others went ahead of the label. */
    @Test
    void placesOfABoardThatChangesMeanwhileStartAtOne() {
        Side before = before(Map.of(5, 1, 7, 2, 9, 1), place("x", 5), place("b", 7), place("c", 7), place("d", 9));

        for (int ahead = 0; ahead < 3; ahead++) {
            assertThat(places(Position.of(OWN, ahead, before, NONE_AFTER))).as("%s counted", ahead)
                    .containsExactly(1L, 2L, 2L, 4L, 4L);
        }
    }

    private static List<Long> places(Position position) {
        return position.items().stream().map(PlaceView::place).toList();
    }

    /** Nearest first, so smaller numbers first. */
    private static Side before(Map<Integer, Integer> counts, Place... nearest) {
        TreeMap<BigDecimal, Integer> ordered = new TreeMap<>(Comparator.<BigDecimal> naturalOrder());
        counts.forEach((number, count) -> ordered.put(BigDecimal.valueOf(number), count));
        return new Side(List.of(nearest), ordered);
    }

    private static Place place(String label, int number) {
        return new Place(BigDecimal.valueOf(number), Label.of(label));
    }
}
