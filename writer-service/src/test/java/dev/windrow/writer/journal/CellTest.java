package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.journal.Cells.Cell;
import dev.windrow.writer.journal.Cells.Part;
import dev.windrow.writer.journal.Cells.Progress;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.Measured;
import dev.windrow.writer.record.WholeSums;

class CellTest {

    @Test
    void theEstimatedSizeCoversAllMeasuresOfAMergedPart() {
        // Given two cells, one of which gets eight measures at once
        List<Change> all = IntStream.range(0, 8)
                .mapToObj(i -> new Change("sum" + i, MeasureKind.SUM, MeasureValue.of(BigDecimal.ONE))).toList();
        Cell atOnce = cell();
        atOnce.add(new Part(1, 1, 0, all), true, 0);
        Cell oneByOne = cell();

        // When the other one gets them one by one
        for (Change change : all) {
            oneByOne.add(new Part(1, 1, 0, List.of(change)), true, 0);
        }

        // Then
        assertThat(oneByOne.heapBytes()).isEqualTo(atOnce.heapBytes());
    }

    private static Cell cell() {
        return new Cell(new CellKey(new BucketItem("pk", "sk", null), null),
                new Progress(0, new WriteEvery(Map.of())).tier("minute"));
    }

    private static final int CASES = 20_000;
    private static final List<Measured> MEASURES = List.of(new Measured("clicks", MeasureKind.COUNT),
            new Measured("bytes", MeasureKind.SUM));

    @Test
    void theyAddUpAsAPlainListDoes() {
        RandomGenerator random = Seeds.random("whole sums");
        for (int i = 0; i < CASES; i++) {
            // Given
            WholeSums some = sums(random);
            List<Change> more = random.nextInt(4) == 0 ? new ArrayList<>(sums(random)) : sums(random);
            List<Change> plain = new ArrayList<>(some);

            // When
            List<Change> merged = Change.merged(some, more);

            // Then
            assertThat(merged).containsExactlyInAnyOrderElementsOf(Change.merged(plain, new ArrayList<>(more)));
            assertThat(merged).doesNotHaveDuplicates();
            assertThat(Change.fit(some, more)).isEqualTo(Change.fit(plain, new ArrayList<>(more)));
        }
    }

    @Test
    void sumsOfOtherMeasuresAreNotAddedByPosition() {
        // Given
        WholeSums some = new WholeSums(MEASURES, new long[] { 1, 2 }, 3);
        WholeSums others = new WholeSums(List.of(new Measured("bytes", MeasureKind.SUM),
                new Measured("clicks", MeasureKind.COUNT)), new long[] { 10, 20 }, 3);

        // When
        List<Change> merged = Change.merged(some, others);

        // Then
        assertThat(merged).extracting(change -> change.value().value().intValue()).containsExactly(21, 12);
    }

    private static WholeSums sums(RandomGenerator random) {
        int present = random.nextInt(4);
        return new WholeSums(MEASURES, new long[] { (present & 1) == 0 ? 0 : random.nextLong(-5, 5),
                (present & 2) == 0 ? 0 : random.nextLong() >> random.nextInt(64) }, present);
    }
}
