package dev.windrow.writer.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;
import dev.windrow.reason.Reason;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.store.RankKeys;
import dev.windrow.writer.store.TableReads;
import dev.windrow.writer.store.TableWrites;
import dev.windrow.writer.store.WriteResult;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class JournalTableTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    /** It concerns one bucket, and is no reason to stop the journal. */
    @Test
    void aBucketThatCannotBeReadRefusesItsAdditions() {
        // Given a time that somebody else wrote, beyond all that there are
        TableWrites writes = write -> Uni.createFrom().item(new WriteResult(1,
                Map.of("m_first", AttributeValue.fromN("1"), "t_first", AttributeValue.fromN("1e30"))));
        TableReads none = (partitionKey, sortKey) -> Uni.createFrom().nothing();
        JournalTable table = new JournalTable(writes, writes, none, RankKeys.NONE);
        Request sums = new Request.ApplySums(0, new BucketItem("label", "minute#1", null), 1, 1,
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.ONE)),
                List.of(new Change("first", MeasureKind.FIRST, MeasureValue.at(BigDecimal.ONE, Instant.EPOCH))));

        // When
        Answer answer = table.send(sums).await().atMost(SOON);

        // Then
        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo(Reason.INTERNAL));
    }
}
