package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.reason.Reason;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.Items;
import dev.windrow.writer.testing.TestContributions;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What every store must do. */
abstract class BucketStoreContract {

    static final Instant SENT = Instant.parse("2026-11-20T10:31:40.250Z");

    private static final String DATASET = """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [second, minute, day]
                  index: [minute]
                  measures:
                    hits: {type: count}
                    ms: {type: sum, attribute: ms}
                    fastest: {type: min, attribute: ms}
                    slowest: {type: max, attribute: ms}
                    first: {type: first, attribute: ms}
                    last: {type: last, attribute: ms}
                  scatter: [{width: 7}]
            """;

    private static LocalAws aws;
    private static Vertx vertx;
    private static AwsJsonClientFactory clients;
    private static int tables;

    final TestContributions shares = new TestContributions(DATASET);
    BucketStore store;
    Buckets buckets;
    Items items;
    CountingWrites writes;

    /** The store under test. */
    abstract BucketStore store(TableWrites tableWrites, BucketUpdates updates);

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        vertx = Vertx.vertx();
        clients = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC());
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @BeforeEach
    void createTable() {
        String table = "table-" + tables++;
        aws.createTable(table);
        writes = new CountingWrites(new FailureContextWrites(
                new DynamoTableWrites(clients.dynamoDb(aws.dynamoDb(), 8), table, Patience.LIMIT)));
        items = new Items(aws.dynamoDb(), table);
        store = store(writes, new BucketUpdates(new Random(1)));
        buckets = new Buckets(aws.dynamoDb(), table);
    }

    @Test
    void upsertsEveryGranularityOfSeveralMessagesAtOnce() {
        // When
        List<ContributionOutcome> outcomes = apply(
                message("a", hit("p", "2026-11-20T10:31:32Z", "5"), hit("p", "2026-11-20T10:31:32.9Z", "2.5")),
                message("b", hit("p", "2026-11-20T10:32:00Z", "10")));

        // Then
        assertThat(outcomes).containsExactly(ContributionOutcome.APPLIED, ContributionOutcome.APPLIED);
        assertThat(buckets.measure("hits", "hits")).isEqualTo(Map.of(
                "p second#2026-11-20T10:31:32Z", new BigDecimal(2), "p second#2026-11-20T10:32:00Z", BigDecimal.ONE,
                "p minute#2026-11-20T10:31:00Z", new BigDecimal(2), "p minute#2026-11-20T10:32:00Z", BigDecimal.ONE,
                "p day#2026-11-20T00:00:00Z", new BigDecimal(3)));
        assertThat(day("ms")).isEqualByComparingTo("17.5");
        assertThat(day("fastest")).isEqualByComparingTo("2.5");
        assertThat(day("slowest")).isEqualByComparingTo("10");
        assertThat(day("first")).isEqualByComparingTo("5");
        assertThat(day("last")).isEqualByComparingTo("10");
    }

    @Test
    void addsToWhatIsThereAndKeepsTheBetterExtreme() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "5"), hit("p", "2026-11-20T10:00:10Z", "50")));

        // When
        apply(message("b", hit("p", "2026-11-20T09:59:59.999999999Z", "20"), hit("p", "2026-11-20T10:00:10Z", "60")));
        apply(message("c", hit("p", "2026-11-20T10:00:10Z", "55")));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("5");
        assertThat(day("ms")).isEqualByComparingTo("190");
        assertThat(day("fastest")).isEqualByComparingTo("5");
        assertThat(day("slowest")).isEqualByComparingTo("60");
        assertThat(day("first")).as("value at the earliest time").isEqualByComparingTo("20");
        assertThat(day("last")).as("the larger of two at the latest time").isEqualByComparingTo("60");
    }

    @Test
    void setsIndexKeysOnIndexedGranularitiesOnly() {
        // When
        apply(message("a", hit("p", "2026-11-20T10:31:32Z", "5")));

        // Then
        SeriesKey series = new SeriesKey("default", "hits", Label.of("p"), 0);
        for (Map<String, AttributeValue> item : buckets.items("hits")) {
            if (item.get(TableSchema.SK).s().startsWith("minute")) {
                BucketKey key = new BucketKey(series, Granularity.MINUTE, Instant.parse("2026-11-20T10:31:00Z"));
                int shard = Scatter.hash(7).shardOf(key.start(), key.indexSortKey(),
                        new Random());
                assertThat(item.get(TableSchema.INDEX_PK).s()).isEqualTo(key.indexPartitionKey(shard));
                assertThat(item.get(TableSchema.INDEX_SK).s()).isEqualTo(key.indexSortKey());
            } else {
                assertThat(item).doesNotContainKeys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);
            }
        }
    }

    @Test
    void retractsCountsAndSumsAndLeavesExtremesAlone() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "5"), hit("p", "2026-11-20T10:00:01Z", "7")));

        // When
        apply(message("b", """
                {"type":"hit","time":"2026-11-20T10:00:00Z","count":-1,"attributes":{"page":"p","ms":-5}}"""));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("1");
        assertThat(day("ms")).isEqualByComparingTo("7");
        assertThat(day("fastest")).isEqualByComparingTo("5");
    }

    @Test
    void leavesOutMeasuresWhoseAttributeIsMissingOrNull() {
        // When
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "null"),
                "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\"p\"}}"));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("2");
        assertThat(buckets.items("hits")).allSatisfy(item -> assertThat(item).doesNotContainKeys("m_ms", "m_first"));
    }

    @Tag("slow")
    @Test
    void appliesManyMessagesWithManyBuckets() {
        // Given
        List<Message> messages = IntStream.range(0, 150).mapToObj(i -> message("m" + i,
                hit("p", Instant.parse("2026-11-20T10:00:00Z").plusSeconds(i).toString(), "1"),
                hit("p", Instant.parse("2026-11-20T12:00:00Z").plusSeconds(i / 3).toString(), "1"))).toList();

        // When
        List<ContributionOutcome> outcomes = apply(messages.toArray(Message[]::new));

        // Then
        assertThat(outcomes).hasSize(150).containsOnly(ContributionOutcome.APPLIED);
        assertThat(day("hits")).isEqualByComparingTo("300");
        assertThat(buckets.measure("hits", "hits").values().stream().reduce(BigDecimal.ZERO, BigDecimal::add))
                .isEqualByComparingTo("900");
    }

    @Test
    void doesNotWriteExtremesThatAreKnownToLose() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1"), hit("p", "2026-11-20T10:00:59Z", "100")));
        int before = writes.singleUpdates(" = :m");

        // When
        apply(message("b", hit("p", "2026-11-20T10:00:00.5Z", "50"), hit("p", "2026-11-20T10:00:59Z", "60")));

        // Then
        int conditional = writes.singleUpdates(" = :m") - before;
        assertThat(conditional).as("only the second's own buckets can be beaten").isLessThanOrEqualTo(8);
        assertThat(day("slowest")).isEqualByComparingTo("100");
    }

    @Test
    void writesExtremesAnewOnceTheTableWasEmptied() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1"), hit("p", "2026-11-20T10:00:59Z", "100")));
        items.replaceAll(List.of());

        // When
        apply(message("b", hit("p", "2026-11-20T10:00:30Z", "50"), hit("p", "2026-11-20T10:00:40Z", "60")));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("2");
        assertThat(day("fastest")).isEqualByComparingTo("50");
        assertThat(day("slowest")).isEqualByComparingTo("60");
        assertThat(day("first")).isEqualByComparingTo("50");
        assertThat(day("last")).isEqualByComparingTo("60");
    }

    @Test
    void writesExtremesAnewOnceAnOlderStateWasRestored() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:30Z", "50")));
        List<Map<String, AttributeValue>> older = items.all();
        apply(message("b", hit("p", "2026-11-20T10:00:00Z", "1"), hit("p", "2026-11-20T10:00:59Z", "100")));
        items.replaceAll(older);

        // When
        apply(message("c", hit("p", "2026-11-20T10:00:20Z", "40"), hit("p", "2026-11-20T10:00:40Z", "60")));

        // Then
        assertThat(day("hits")).isEqualByComparingTo("3");
        assertThat(day("fastest")).isEqualByComparingTo("40");
        assertThat(day("slowest")).isEqualByComparingTo("60");
        assertThat(day("first")).isEqualByComparingTo("40");
        assertThat(day("last")).isEqualByComparingTo("60");
    }

    @Test
    void writesExtremesAnewThatVanishWhileTheyAreWritten() {
        // Given: the items vanish between the extremes and the counts
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1"), hit("p", "2026-11-20T10:00:59Z", "100")));
        TableWrites emptied = new TableWrites() {
            private boolean done;

            @Override
            public Uni<WriteResult> write(TableWrite write) {
                boolean adds = write.updates().get(0) instanceof BucketUpdate update && update.expression().contains("ADD");
                if (adds && !done) {
                    done = true;
                    items.replaceAll(List.of());
                }
                return writes.write(write);
            }
        };

        // When
        store(emptied, new BucketUpdates(new Random(1))).apply(new SeriesBatch(
                shares.of(message("b", hit("p", "2026-11-20T10:00:00Z", "200"))))).await().indefinitely();

        // Then
        assertThat(day("hits")).isEqualByComparingTo("1");
        assertThat(day("slowest")).isEqualByComparingTo("200");
        assertThat(day("first")).isEqualByComparingTo("200");
    }

    @Test
    void keepsExtremesOfADatasetThatCountsNothing() {
        // Given
        TestContributions alone = new TestContributions("""
                windrow:
                  datasets:
                    hits:
                      event-type: hit
                      label: [page]
                      granularities: [day]
                      measures:
                        slowest: {type: max, attribute: ms}
                """);
        store.apply(new SeriesBatch(alone.of(message("a", hit("p", "2026-11-20T10:00:00Z", "100"))))).await().indefinitely();
        items.replaceAll(List.of());

        // When
        store.apply(new SeriesBatch(alone.of(message("b", hit("p", "2026-11-20T10:00:00Z", "50"))))).await().indefinitely();

        // Then
        assertThat(day("slowest")).isEqualByComparingTo("50");
    }

    @Tag("slow")
    @Test
    void agreesWithAModelWhateverIsEmptiedAndRestoredMeanwhile() {
        // Given
        RandomGenerator random = Seeds.random("emptiedAndRestored");
        List<Map<String, AttributeValue>> saved = List.of();
        List<Integer> savedValues = List.of();
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // When
            switch (random.nextInt(6)) {
                case 0 -> {
                    items.replaceAll(List.of());
                    values.clear();
                }
                case 1 -> {
                    saved = items.all();
                    savedValues = List.copyOf(values);
                }
                case 2 -> {
                    items.replaceAll(saved);
                    values = new ArrayList<>(savedValues);
                }
                default -> {
                    int value = random.nextInt(1_000);
                    values.add(value);
                    assertThat(apply(message("m" + i, hit("p", "2026-11-20T10:00:00Z", Integer.toString(value)))))
                            .containsExactly(ContributionOutcome.APPLIED);
                }
            }

            // Then
            if (!values.isEmpty()) {
                assertThat(day("hits")).isEqualByComparingTo(Integer.toString(values.size()));
                assertThat(day("slowest")).isEqualByComparingTo(Collections.max(values).toString());
                assertThat(day("fastest")).isEqualByComparingTo(Collections.min(values).toString());
                assertThat(day("first")).isEqualByComparingTo(Collections.min(values).toString());
            }
        }
    }

    @Test
    void takesAllTheExtremesThatADatasetMayHave() {
        // Given
        StringBuilder measures = new StringBuilder();
        for (int i = 0; i < 49; i++) {
            measures.append("        last").append(i).append(": {type: last, attribute: ms}\n");
        }
        TestContributions many = new TestContributions("""
                windrow:
                  datasets:
                    hits:
                      event-type: hit
                      label: [page]
                      granularities: [day]
                      measures:
                        hits: {type: count}
                """ + measures);

        // When
        List<ContributionOutcome> outcomes = store.apply(new SeriesBatch(
                many.of(message("a", hit("p", "2026-11-20T10:00:00Z", "100"))))).await().indefinitely();

        // Then
        assertThat(outcomes).containsExactly(ContributionOutcome.APPLIED);
        assertThat(day("last48")).isEqualByComparingTo("100");
    }

    @Test
    void tellsWhichShareHoldsNumbersThatDoNotAddUp() {
        // Given
        BucketStore isolating = new BisectingStore(store);

        // When
        List<ContributionOutcome> outcomes = isolating.apply(new SeriesBatch(unchecked(
                message("a", hit("p", "2026-11-20T10:00:00Z", "1")),
                message("b", hit("p", "2026-11-20T10:00:00Z", "1e125"), hit("p", "2026-11-20T10:00:00Z", "1e-100")),
                message("c", hit("p", "2026-11-20T10:00:00Z", "2")))))
                .await().indefinitely();

        // Then
        assertThat(outcomes.get(0)).isEqualTo(ContributionOutcome.APPLIED);
        assertThat(outcomes.get(1)).isInstanceOfSatisfying(ContributionOutcome.Failed.class,
                failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.NUMBER_OUT_OF_RANGE);
                    assertThat(failed.detail()).contains("hits#p#0", "2026-11-20T10:00:00Z", "m_ms");
                });
        assertThat(outcomes.get(2)).isEqualTo(ContributionOutcome.APPLIED);
    }

    @Test
    void namesLabelBucketAndAttributeOfWhatTheTableRefuses() {
        // Given: a sum that is nearly as large as a number can be
        store.apply(new SeriesBatch(unchecked(message("a", hit("p", "2026-11-20T10:00:00Z", "9e125"))))).await().indefinitely();

        // When
        List<ContributionOutcome> outcomes = store
                .apply(new SeriesBatch(unchecked(message("b", hit("p", "2026-11-20T10:00:00Z", "8e125"))))).await()
                .indefinitely();

        // Then
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ContributionOutcome.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo(Reason.REFUSED);
            assertThat(failed.detail()).contains("label default#hits#p#0", "second#2026-11-20T10:00:00Z", "m_ms=8");
        });
    }

    private List<Contribution> unchecked(Message... messages) {
        return Arrays.stream(messages).flatMap(message -> shares.unchecked(message).stream()).toList();
    }

    List<ContributionOutcome> apply(Message... messages) {
        return store.apply(new SeriesBatch(shares.of(List.of(messages)))).await().indefinitely();
    }

    BigDecimal day(String measure) {
        return buckets.measure("hits", measure).get("p day#2026-11-20T00:00:00Z");
    }

    static Message message(String id, String... events) {
        return TestContributions.message(id, SENT, String.join("\n", new ArrayList<>(List.of(events))));
    }

    static String hit(String page, String time, String ms) {
        return "{\"type\":\"hit\",\"time\":\"" + time + "\",\"attributes\":{\"page\":\"" + page + "\",\"ms\":" + ms + "}}";
    }
}
