package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.JournalRecord.BucketItem;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.table.TableWrites.TableReads;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writers of one table may declare different datasets, and recover each other's lanes. */
class RecoveredRanksTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final List<ItemUpdate> written = new ArrayList<>();
    private final TableWrites updates = write -> {
        written.addAll(write.updates());
        return Uni.createFrom().item(new WriteResult(1, Map.of(), Map.of()));
    };
    private final TableReads registry = (partitionKey, sortKey) -> {
        assertThat(partitionKey).isEqualTo(TableSchema.DATASETS_PK);
        return Uni.createFrom().item(Map.of("k_scores", AttributeValue.fromS("best#1#4#minute")));
    };

    @Test
    void bucketsOfDatasetsThatOnlyOthersDeclareGetIntoTheirLeaderboards() {
        // Given a lane with work
        TableWrites lanes = write -> Uni.createFrom()
                .item(new WriteResult(1, Map.of(), Map.of(TableSchema.LANE_EPOCH, number(2),
                        TableSchema.LANE_BEAT, number(9), TableSchema.LANE_POSITION, number(3), TableSchema.LANE_APPLIED,
                        number(1))));
        JournalTable table = new JournalTable(updates, lanes, registry, RankKeys.NONE, ItemExpiry.NONE);
        Request.ApplySums sums = new Request.ApplySums(0, new BucketItem("default#scores#Comet#123#0",
                "minute#2026-11-20T10:31:00Z", null), 2, 2,
                List.of(new Change("plays", MeasureKind.COUNT, MeasureValue.of(BigDecimal.ONE))), List.of());

        // When
        table.send(new Request.AcquireLane(0, 1, 8, "heir", 0)).await().atMost(SOON);
        table.send(sums).await().atMost(SOON);

        // Then
        assertThat(written).singleElement().satisfies(update -> assertThat(update.attributes()).contains("r_best"));
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }
}
