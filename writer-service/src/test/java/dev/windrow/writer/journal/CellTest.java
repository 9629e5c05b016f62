package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.writer.journal.Applicator.Progress;
import dev.windrow.writer.journal.Cells.Cell;
import dev.windrow.writer.journal.Cells.CellKey;
import dev.windrow.writer.journal.Cells.Part;
import dev.windrow.writer.journal.JournalRecord.BucketItem;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.JournalSettings.WriteEvery;

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
}
