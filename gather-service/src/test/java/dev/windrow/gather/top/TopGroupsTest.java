package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;

class TopGroupsTest {

    private static final List<Measure> MEASURES = List.of(new Measure("sold", MeasureKind.SUM, "pieces", true),
            new Measure("balance", MeasureKind.SUM, "money", false), new Measure("largest", MeasureKind.MAX, "money", false));
    private static final Column SOLD = Dataset.columns(MEASURES).get(0);

    @Test
    void labelsWithTheSameFirstValuesAreSummedUpToALimitOfGroups() {
        GroupSums sums = new GroupSums(new Grouping(Optional.of(List.of(0)), Optional.empty(), 2), bytes -> {
        });
        sums.add(bucket("a", "x"));
        sums.add(bucket("a", "y"));
        sums.add(bucket("b", "x"));

        assertThat(sums.sums).hasEntrySatisfying(Label.of("a"),
                sum -> assertThat(sum.shown(SOLD)).contains(BigDecimal.valueOf(2)));
        assertThatThrownBy(() -> sums.add(bucket("c", "x"))).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 2");
    }

    @Test
    void sumsThatHaveNoRoomAreDropped() {
        // Given
        AtomicLong room = new AtomicLong(HeldSize.of(List.of("a"), values(1, 1, 1)));
        GroupSums sums = new GroupSums(new Grouping(Optional.of(List.of(0)), Optional.empty(), 10), bytes -> {
            if (room.addAndGet(-bytes) < 0) {
                throw new IllegalStateException("no room");
            }
        });
        sums.add(bucket("a", "x"));

        // When
        assertThatThrownBy(() -> sums.add(bucket("b", "x"))).hasMessage("no room");

        // Then
        assertThat(sums.sums).isEmpty();
    }

    private static Bucket bucket(String... label) {
        return new Bucket(Instant.EPOCH.toString(), Label.of(label), Granularity.HOUR, values(1, 1, 1));
    }

    private static MeasureValues values(long... numbers) {
        return new MeasureValues(MEASURES,
                Arrays.stream(numbers).mapToObj(number -> MeasureValue.of(BigDecimal.valueOf(number))).toList());
    }

    /** The count was read before other labels overtook this one. */
    @Test
    void placesOfABoardThatChangesMeanwhileStartAtOne() {
        PositionSide before = before(Map.of(5, 1, 7, 2, 9, 1), place("x", 5), place("b", 7), place("c", 7), place("d", 9));

        for (int ahead = 0; ahead < 3; ahead++) {
            assertThat(places(Position.of(place("own", 5), ahead, before, new PositionSide(List.of(), new TreeMap<>()))))
                    .as("%s counted", ahead)
                    .containsExactly(1L, 2L, 2L, 4L, 4L);
        }
    }

    private static List<Long> places(Position position) {
        return position.items().stream().map(PlaceView::place).toList();
    }

    /** The nearest come first, so smaller numbers come first. */
    private static PositionSide before(Map<Integer, Integer> counts, RankPlace... nearest) {
        TreeMap<BigDecimal, Integer> ordered = new TreeMap<>(Comparator.<BigDecimal> naturalOrder());
        counts.forEach((number, count) -> ordered.put(BigDecimal.valueOf(number), count));
        return new PositionSide(List.of(nearest), ordered);
    }

    private static RankPlace place(String label, int number) {
        return new RankPlace(BigDecimal.valueOf(number), Label.of(label));
    }
}
