package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.RankPlan.Ranking;
import dev.windrow.gather.read.HeldMemory.HeldSize;
import dev.windrow.gather.top.TopQuery.Grouping;
import dev.windrow.gather.top.TopQuery.Threshold;
import dev.windrow.gather.top.TopResource.GroupSums;
import dev.windrow.gather.top.TopResource.TopGroups;
import dev.windrow.table.Label;

class TopGroupsTest {

    private static final List<Measure> MEASURES = List.of(new Measure("sold", MeasureKind.SUM, "pieces", true),
            new Measure("balance", MeasureKind.SUM, "money", false), new Measure("largest", MeasureKind.MAX, "money", false));
    private static final Column SOLD = Dataset.columns(MEASURES).get(0);
    private static final Column BALANCE = Dataset.columns(MEASURES).get(1);
    private static final Column LARGEST = Dataset.columns(MEASURES).get(2);
    private static final Column EACH = new Column("each", BALANCE.of(), SOLD.of());

    @Test
    void equalsComeInTheOrderOfTheirLabels() {
        Map<Label, MeasureValues> sums = sums("b", values(1, 5, 5), "a", values(1, 5, 5), "c", values(2, -7, 0));

        assertThat(labels(top(BALANCE, Ranking.DESC, 10).top(sums))).containsExactly("a", "b", "c");
        assertThat(labels(top(BALANCE, Ranking.ASC, 10).top(sums))).containsExactly("c", "a", "b");
        assertThat(labels(top(BALANCE, Ranking.MAGNITUDE, 2).top(sums))).containsExactly("c", "a");
    }

    @Test
    void aFlooredMeasureRanksByItsDisplayedValue() {
        Map<Label, MeasureValues> sums = sums("a", values(0, 0, 0), "b", values(-5, 0, 0), "c", values(1, 0, 0));

        assertThat(labels(top(SOLD, Ranking.ASC, 10).top(sums))).containsExactly("a", "b", "c");
        assertThat(labels(top(SOLD, Ranking.MAGNITUDE, 1).top(sums))).containsExactly("c");
    }

    @Test
    void aRatioIsOfShownNumbersAndGroupsWithoutOneAreLeftOut() {
        // Given
        Map<Label, MeasureValues> sums = sums("third", values(3, 1, 0), "also a third", values(6, 2, 0), "none sold",
                values(-5, 7, 0), "half", values(2, 1, 0));

        // When
        List<TopGroups.Sum> top = top(EACH, Ranking.DESC, 10).top(sums);

        // Then
        assertThat(labels(top)).containsExactly("half", "also a third", "third");
        assertThat(top.get(1).values().shown(EACH)).contains(new BigDecimal("0.3333333333333333333333333333333333"));
        assertThat(labels(top(EACH, Ranking.ASC, 10).movers(sums, sums("half", values(1, 1, 0), "third", values(1, 0, 0)))))
                .as("only where both have a ratio").containsExactly("half", "third");
    }

    @Test
    void aGroupThatIsInOneRangeOnlyMovesFromOrToZero() {
        Map<Label, MeasureValues> now = sums("new", values(3, 3, 3), "same", values(1, 1, 1));
        Map<Label, MeasureValues> then = sums("gone", values(4, 4, 4), "same", values(1, 1, 1));

        List<TopGroups.Sum> movers = top(BALANCE, Ranking.MAGNITUDE, 10).movers(now, then);

        assertThat(labels(movers)).containsExactly("gone", "new", "same");
        assertThat(labels(top(BALANCE, Ranking.ASC, 1).movers(now, then))).containsExactly("gone");
        assertThat(labels(top(LARGEST, Ranking.DESC, 10).movers(now, then))).as("there is no largest of nothing")
                .containsExactly("same");
    }

    @Test
    void aThresholdHoldsIfEitherRangeHasAsMuch() {
        Map<Label, MeasureValues> now = sums("a", values(1, 1, 1), "b", values(2, 2, 2));
        Map<Label, MeasureValues> then = sums("a", values(10, 10, 10));
        Grouping grouping = new Grouping(Optional.of(List.of(0)), Optional.of(new Threshold(SOLD, BigDecimal.TEN)), 10);

        assertThat(labels(new TopGroups(MEASURES, grouping, SOLD, Ranking.DESC, 10).movers(now, then)))
                .containsExactly("a");
        assertThat(new TopGroups(MEASURES, grouping, SOLD, Ranking.DESC, 10).top(now)).isEmpty();
    }

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

    private static TopGroups top(Column by, Ranking ranking, int n) {
        return new TopGroups(MEASURES, new Grouping(Optional.of(List.of(0)), Optional.empty(), 10), by, ranking, n);
    }

    private static MeasureValues values(long... numbers) {
        return new MeasureValues(MEASURES,
                Arrays.stream(numbers).mapToObj(number -> MeasureValue.of(BigDecimal.valueOf(number))).toList());
    }

    private static Map<Label, MeasureValues> sums(Object... labelsAndValues) {
        Map<Label, MeasureValues> sums = new HashMap<>();
        for (int i = 0; i < labelsAndValues.length; i += 2) {
            sums.put(Label.of((String) labelsAndValues[i]), (MeasureValues) labelsAndValues[i + 1]);
        }
        return sums;
    }

    private static List<String> labels(List<TopGroups.Sum> sums) {
        return sums.stream().map(sum -> sum.label().values().get(0)).toList();
    }
}
