package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.Lane;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.table.TableWriterTest.FakeWrites;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class JournalTableTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final LaneUpdate UPDATE = new LaneUpdate(0, 1, 2, 3, 3, List.of(), List.of());
    private static final TableReads NO_READS = (partitionKey, sortKey) -> Uni.createFrom().nothing();

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    /** A damaged item affects a single bucket, and must not stop the journal. */
    @Test
    void aBucketThatCannotBeReadRefusesItsAdditions() {
        // Given a time beyond the range of instants, not written by a writer
        TableClient writes = write -> Uni.createFrom().item(new WriteResult(1, Map.of(),
                Map.of("m_first", AttributeValue.fromN("1"), "t_first", AttributeValue.fromN("1e30"))));
        JournalTable table = new JournalTable(writes, writes, NO_READS, DeclaredAttributes.NONE, Runnable::run, new Random(1));
        Request.ApplySums sums = new Request.ApplySums(0, new BucketItem("label", "minute#1", null), 1, 1,
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.ONE)),
                List.of(new Change("first", MeasureKind.FIRST, MeasureValue.at(BigDecimal.ONE, Instant.EPOCH))));

        // When
        Answer answer = table.send(sums).await().atMost(SOON);

        // Then
        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class,
                refused -> assertThat(refused.reason()).isEqualTo(Reason.INTERNAL));
    }

    /** An unreadable lane must neither stop the journal nor be taken for a free one. */
    @Test
    void lanesAreReadBesideThoseThatCannotBeRead() {
        // Given
        List<Map<String, AttributeValue>> items = List.of(
                lane("1", "5", Map.of()),
                lane("1.5", "5", Map.of()),
                Map.of(TableSchema.LANE_POSITION, AttributeValue.fromN("5")),
                lane("1", "3", Map.of()),
                lane("1", "5", Map.of(TableSchema.LANE_WATERMARKS, AttributeValue.fromS("hour"))),
                lane("1", "5", Map.of(TableSchema.LANE_PARKINGS, AttributeValue.fromS("1f 1f 5 5"))),
                lane("1", "5", Map.of(TableSchema.LANE_PARKINGS, AttributeValue.fromN("1"))));
        TableReads reads = (partitionKey, sortKey) -> {
            int lane = TableSchema.laneNumber(partitionKey);
            return Uni.createFrom().item(lane < items.size() ? items.get(lane) : Map.of());
        };

        // When
        Answer answer = table(reads).send(new Request.ReadLanes(10)).await().atMost(SOON);

        // Then
        List<Lane> lanes = ((Answer.Lanes) answer).lanes();
        assertThat(lanes).extracting(Lane::number).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(lanes).filteredOn(Lane::isReadable).extracting(Lane::number).containsExactly(0);
        assertThat(lanes).filteredOn(lane -> !lane.isReadable()).allMatch(Lane::hasWork).extracting(Lane::damage)
                .containsExactly("expected a whole number as epoch, found 1.5", "expected an epoch above 0, found 0",
                        "expected records that are applied up to a position from 0 to 3, found 4",
                        "expected a granularity and three numbers, found 'hour'",
                        "expected a parking of 6 fields, found 4", "expected a text as parkings, found another type");
    }

    @Test
    void aLaneThatIsLostToAnItemThatCannotBeReadIsNoReasonToStop() {
        // Given
        TableClient writes = write -> Uni.createFrom()
                .failure(new ConditionFailedException(Map.of(0, lane("1.5", "5", Map.of()))));
        JournalTable table = new JournalTable(writes, writes, NO_READS, DeclaredAttributes.NONE, Runnable::run, new Random(1));

        // When
        Answer answer = table.send(new Request.RenewLane(UPDATE, false)).await().atMost(SOON);

        // Then
        assertThat(answer).isInstanceOfSatisfying(Answer.LaneIs.class, is -> assertThat(is.lane().isReadable()).isFalse());
    }

    /** DynamoDB compares numbers with nothing else: the condition fails as if the item's value were better. */
    @Test
    void anExtremeThatTheItemsValueCannotBeComparedWithIsRefused() {
        // Given
        Change change = new Change("slowest", MeasureKind.MAX, MeasureValue.of(BigDecimal.TEN));
        for (AttributeValue stored : List.of(AttributeValue.fromS("x"), AttributeValue.fromN("11"))) {
            TableClient writes = write -> Uni.createFrom()
                    .failure(new ConditionFailedException(Map.of(0, Map.of("m_slowest", stored))));
            JournalTable table = new JournalTable(writes, writes, NO_READS, DeclaredAttributes.NONE, Runnable::run,
                    new Random(1));

            // When
            Answer answer = table.send(new Request.ApplyExtreme(0, new BucketItem("label", "minute#1", null), change)).await()
                    .atMost(SOON);

            // Then
            assertThat(answer).isEqualTo(stored.n() != null ? Answer.DONE
                    : new Answer.Refused(Reason.REFUSED, "expected a number as m_slowest, found another type"));
        }
    }

    /** Otherwise each writer that recovers the lane would stop in turn. */
    @Test
    void aBucketWhosePositionCannotBeReadIsNotMarked() {
        // Given
        TableClient writes = write -> Uni.createFrom().failure(new ConditionFailedException(
                Map.of(1, Map.of(TableSchema.lanePosition(0), AttributeValue.fromS("x")))));
        JournalTable table = new JournalTable(writes, writes, NO_READS, DeclaredAttributes.NONE, Runnable::run, new Random(1));

        // When
        Answer answer = table.send(new Request.ParkItem(UPDATE,
                new Request.ParkItem.Mark(new BucketItem("label", "minute#1", null), 1, 1))).await().atMost(SOON);

        // Then
        assertThat(answer).isInstanceOf(Answer.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = { "1.5", "1000000000000", "0", "-1" })
    void aRecordOfSoManyChunksIsItsFirstOne(String chunks) {
        // Given
        TableReads reads = (partitionKey, sortKey) -> Uni.createFrom()
                .item(Map.of(JournalItems.DATA, AttributeValue.fromB(SdkBytes.fromUtf8String("data")), JournalItems.CHUNKS,
                        AttributeValue.fromN(chunks)));

        // When
        Answer answer = table(reads).send(new Request.ReadRecord(0, 1)).await().atMost(SOON);

        // Then
        assertThat(((Answer.StoredRecord) answer).bytes()).isEqualTo("data".getBytes(StandardCharsets.UTF_8));
    }

    /** Writers of one table may declare different datasets, and recover each other's lanes. */
    @Test
    void bucketsOfDatasetsThatOnlyOthersDeclareGetIntoTheirLeaderboards() {
        // Given a lane with work
        TableClient lanes = write -> Uni.createFrom().item(new WriteResult(1, Map.of(), lane("2", "5", Map.of())));
        List<ItemUpdate> written = new ArrayList<>();
        TableClient updates = write -> {
            written.addAll(write.updates());
            return Uni.createFrom().item(new WriteResult(1, Map.of(), Map.of()));
        };
        TableReads registry = (partitionKey, sortKey) -> {
            assertThat(partitionKey).isEqualTo(TableSchema.DATASETS_PK);
            return Uni.createFrom().item(Map.of("k_scores", AttributeValue.fromS("best#1#4#minute")));
        };
        JournalTable table = new JournalTable(updates, lanes, registry, DeclaredAttributes.NONE, Runnable::run, new Random(1));
        Request.ApplySums sums = new Request.ApplySums(0, new BucketItem("default#scores#Comet#123#0",
                "minute#2026-11-20T10:31:00Z", null), 2, 2,
                List.of(new Change("plays", MeasureKind.COUNT, MeasureValue.of(BigDecimal.ONE))), List.of());

        // When
        table.send(new Request.AcquireLane(0, 1, 8, "heir", 0)).await().atMost(SOON);
        table.send(sums).await().atMost(SOON);

        // Then
        assertThat(written).singleElement().satisfies(update -> assertThat(update.attributes()).contains("r_best"));
    }

    @Test
    void laneWritesAreTriedAgainUntilTheyAreAnswered() {
        // Given
        FakeWrites lanes = FakeWrites.failing(new WriteFailedException(Reason.THROTTLED, "slow down"),
                new WriteFailedException(Reason.TIMED_OUT, "late"), new WriteFailedException(Reason.ACCESS_DENIED, "denied"));
        JournalTable table = new JournalTable(lanes, lanes, NO_READS, DeclaredAttributes.NONE, Runnable::run, new Random(1));

        // When
        Answer answer = table.send(new Request.RenewLane(UPDATE, false)).await().atMost(SOON);

        // Then
        assertThat(answer).isEqualTo(Answer.DONE);
        assertThat(lanes.calls()).isEqualTo(4);
    }

    /** An answer may come from another thread while the request is still being started. */
    @Test
    void eachRequestIsAnsweredHoweverSoonItsWriteEnds() {
        // Given a table that answers at once, on a thread of its own, each second write with a failure
        AtomicReference<@Nullable CompletableFuture<WriteResult>> begun = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
            for (boolean fails = false; !over.get(); Thread.onSpinWait()) {
                CompletableFuture<WriteResult> write = begun.getAndSet(null);
                if (write != null && fails) {
                    write.completeExceptionally(new WriteFailedException(Reason.THROTTLED, "slow down"));
                } else if (write != null) {
                    write.complete(new WriteResult(1, Map.of(), Map.of()));
                }
                fails ^= write != null;
            }
        });
        TableClient lanes = write -> Uni.createFrom().completionStage(() -> {
            CompletableFuture<WriteResult> answer = new CompletableFuture<>();
            begun.set(answer);
            return answer;
        });
        Context context = vertx.getOrCreateContext();
        JournalTable table = new JournalTable(lanes, lanes, NO_READS, DeclaredAttributes.NONE,
                task -> context.runOnContext(started -> task.run()), () -> 0);

        // When
        try {
            for (int i = 0; i < 20_000; i++) {
                // Then
                assertThat(table.send(new Request.RenewLane(UPDATE, false)).await().atMost(SOON)).isEqualTo(Answer.DONE);
            }
        } finally {
            over.set(true);
            server.join();
        }
    }

    /** Otherwise a stopped journal would go on sending for as long as the table is unavailable. */
    @Test
    void noWriteIsTriedAgainAfterItIsCancelled() {
        // Given
        AtomicInteger calls = new AtomicInteger();
        TableClient lanes = write -> {
            calls.incrementAndGet();
            return Uni.createFrom().failure(new WriteFailedException(Reason.UNAVAILABLE, "away"));
        };
        // Pauses of a millisecond or two: in a long one nothing would be sent, even if cancelling did nothing.
        JournalTable table = new JournalTable(lanes, lanes, NO_READS, DeclaredAttributes.NONE, Runnable::run, () -> 2);
        var waiting = table.send(new Request.RenewLane(UPDATE, false)).subscribe().withSubscriber(UniAssertSubscriber.create());
        await().atMost(SOON).until(() -> calls.get() >= 2);

        // When
        waiting.cancel();

        // Then
        AtomicInteger before = new AtomicInteger(-1);
        await().atMost(SOON).pollInterval(Duration.ofMillis(300)).until(() -> before.getAndSet(calls.get()) == calls.get());
    }

    private static JournalTable table(TableReads reads) {
        TableClient none = write -> Uni.createFrom().nothing();
        return new JournalTable(none, none, reads, DeclaredAttributes.NONE, Runnable::run, new Random(1));
    }

    private static Map<String, AttributeValue> lane(String epoch, String position, Map<String, AttributeValue> others) {
        Map<String, AttributeValue> item = new HashMap<>(others);
        item.put(TableSchema.LANE_EPOCH, AttributeValue.fromN(epoch));
        item.put(TableSchema.LANE_POSITION, AttributeValue.fromN(position));
        item.put(TableSchema.LANE_APPLIED, AttributeValue.fromN("4"));
        return item;
    }
}
