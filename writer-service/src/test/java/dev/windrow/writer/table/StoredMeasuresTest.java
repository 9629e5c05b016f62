package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableSpec;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.Items;
import dev.windrow.writer.testing.PlainClients;
import dev.windrow.writer.testing.TestUnits;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The measures in the table's items after events were claimed and applied. */
class StoredMeasuresTest {

    /** In the far future, so that the table deletes no journal items, which expire by the machine's clock. */
    static final Instant SENT = Instant.parse("2090-11-20T10:31:40.250Z");

    private static final Instant DAY = Instant.parse("2090-11-20T00:00:00Z");

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

    @AutoClose
    private static LocalAws tables;
    private static int created;

    private String name;
    private DynamoTable table;
    private Buckets buckets;
    private Items items;
    private TestUnits units;
    private VirtualJournal journal;

    @BeforeAll
    static void startServers() {
        tables = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @BeforeEach
    void createTable() {
        name = "table-" + created++;
        table = PlainClients.create(tables, TableSpec.named(name));
        items = new Items(tables.dynamoDb(), name);
        buckets = new Buckets(tables.dynamoDb(), name);
        count(DATASET);
    }

    /** Slow, because DynamoDB Local deletes expired items only every few seconds. */
    @Tag("slow")
    @Test
    void bucketsThatAreOverAreDeletedAndOthersAreKept() {
        // Given
        String datasets = """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [host], granularities: [minute, hour], index: [minute, hour],
                      measures: {events: {type: count}}, retention: {minute: 2d}}
                """;
        Instant sent = Instant.now().minus(Duration.ofDays(10)).truncatedTo(ChronoUnit.SECONDS);
        DynamoTable table = PlainClients.create(tables, TableSpec.named("expired"));
        VirtualJournal journal = new VirtualJournal(table, table, DatasetsYaml.parse("test", datasets), sent);
        Buckets buckets = new Buckets(tables.dynamoDb(), "expired");

        // When
        journal.receive(new TestUnits(datasets).of(TestUnits.message("m", sent, "{\"type\":\"click\",\"time\":\"" + sent
                + "\",\"attributes\":{\"host\":\"h\",\"size\":1}}")));
        journal.settle();

        // Then
        String hour = "h hour#" + sent.truncatedTo(ChronoUnit.HOURS);
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(buckets.measure("clicks", "events")).containsOnlyKeys(hour));
        assertThat(buckets.measure("clicks", "events").get(hour)).isEqualByComparingTo("1");
    }

    private void count(String datasets) {
        units = new TestUnits(datasets);
        journal = new VirtualJournal(table, table, DatasetsYaml.parse("test", datasets), SENT);
    }

    @Test
    void setsIndexKeysOnIndexedGranularitiesOnly() {
        // When
        apply(message("a", hit("p", "2090-11-20T10:31:32Z", "5")));

        // Then
        SeriesKey series = new SeriesKey("default", "hits", Label.of("p"), 0);
        assertThat(buckets.items("hits")).extracting(item -> item.get(TableSchema.SK).s().replaceFirst("#.*", ""))
                .containsExactlyInAnyOrder("second", "minute", "day");
        for (Map<String, AttributeValue> item : buckets.items("hits")) {
            if (item.get(TableSchema.SK).s().startsWith("minute")) {
                BucketKey key = new BucketKey(series, Granularity.MINUTE, Instant.parse("2090-11-20T10:31:00Z"));
                int shard = Scatter.hash(7).shardOf(key.start(), key.indexSortKey(), new Random());
                assertThat(item.get(TableSchema.INDEX_PK).s()).isEqualTo(key.indexPartitionKey(shard));
                assertThat(item.get(TableSchema.INDEX_SK).s()).isEqualTo(key.indexSortKey());
            } else {
                assertThat(item).doesNotContainKeys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);
            }
        }
    }

    private static String daily(String measures) {
        return """
                windrow:
                  datasets:
                    hits: {event-type: hit, label: [page], granularities: [day], measures: {%s}}
                """.formatted(measures);
    }

    @Test
    void keepsExtremesOfADatasetThatCountsNothing() {
        // Given
        count(daily("slowest: {type: max, attribute: ms}"));
        apply(message("a", hit("p", "2090-11-20T10:00:00Z", "100")));
        items.replaceBuckets(List.of());

        // When
        apply(message("b", hit("p", "2090-11-20T10:00:00Z", "50")));

        // Then
        assertThat(day("slowest")).isEqualByComparingTo("50");
    }

    @Test
    void agreesWithAModelWhateverIsDeletedAndRestoredMeanwhile() {
        // Given
        RandomGenerator random = Seeds.random("emptiedAndRestored");
        List<Map<String, AttributeValue>> saved = List.of();
        List<Integer> savedHits = List.of();
        // Each is 1,000 times its nanosecond plus its value; among hits of the same nanosecond, the value decides.
        List<Integer> hits = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            // When
            switch (random.nextInt(6)) {
                case 0 -> {
                    items.replaceBuckets(List.of());
                    hits.clear();
                }
                case 1 -> {
                    saved = items.buckets();
                    savedHits = List.copyOf(hits);
                }
                case 2 -> {
                    items.replaceBuckets(saved);
                    hits = new ArrayList<>(savedHits);
                }
                default -> {
                    int hit = random.nextInt(5_000);
                    hits.add(hit);
                    apply(message("m" + i, hit("p", DAY.plusNanos(hit / 1_000).toString(), "" + hit % 1_000)));
                }
            }

            // Then
            if (!hits.isEmpty()) {
                IntSummaryStatistics all = hits.stream().mapToInt(hit -> hit % 1_000).summaryStatistics();
                Map.of("hits", all.getCount(), "ms", all.getSum(), "fastest", all.getMin(), "slowest", all.getMax(), "first",
                        Collections.min(hits) % 1_000, "last", Collections.max(hits) % 1_000)
                        .forEach((measure, value) -> assertThat(day(measure)).as(measure)
                                .isEqualByComparingTo(value.toString()));
            }
        }
    }

    @Test
    void takesAllTheExtremesThatADatasetMayHave() {
        // Given
        count(daily(IntStream.range(0, 49).mapToObj(i -> "last" + i + ": {type: last, attribute: ms}, ")
                .collect(Collectors.joining()) + "hits: {type: count}"));

        // When
        apply(message("a", hit("p", "2090-11-20T10:00:00Z", "100")));

        // Then
        assertThat(day("last48")).isEqualByComparingTo("100");
        assertThat(day("hits")).isEqualByComparingTo("1");
    }

    @Test
    void remembersClaimsInSlotsThatExpire() {
        // When
        apply(message("a", hit("p", "2090-11-20T10:00:00Z", "1")), message("b", hit("p", "2090-11-20T10:00:00Z", "1")));

        // Then
        assertThat(buckets.slots()).isNotEmpty().allSatisfy(slot -> {
            assertThat(Long.parseLong(slot.get(TableSchema.TTL).n()))
                    .isGreaterThanOrEqualTo(SENT.plus(Duration.ofDays(15)).getEpochSecond());
            assertThat(slot).doesNotContainKeys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);
        });
        assertThat(buckets.slots().stream().mapToInt(slot -> slot.get(TableSchema.CLAIMED_IDS).bs().size()).sum()).isEqualTo(2);
    }

    @Test
    void namesItemAndAttributesOfWhatTheTableRefuses() {
        // Given
        apply(message("a", hit("p", "2090-11-20T10:31:32Z", "5")));
        tables.dynamoDb().updateItem(update -> update.tableName(name)
                .key(JournalItems.key("default#hits#p#0", "day#2090-11-20T00:00:00Z"))
                .updateExpression("SET m_ms = :text").expressionAttributeValues(Map.of(":text", AttributeValue.fromS("x"))))
                .join();

        // When
        apply(message("b", hit("p", "2090-11-20T10:31:32Z", "8")));

        // Then
        assertThat(journal.letters()).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.REFUSED);
            assertThat(letter.detail()).contains("item default#hits#p#0 day#2090-11-20T00:00:00Z", "m_hits", "m_ms");
        });
        assertThat(buckets.measure("hits", "ms")).containsEntry("p second#2090-11-20T10:31:32Z", new BigDecimal(13));
    }

    private void apply(Message... messages) {
        for (Message message : messages) {
            journal.receive(units.of(message));
        }
        journal.settle();
    }

    BigDecimal day(String measure) {
        return buckets.measure("hits", measure).get("p day#2090-11-20T00:00:00Z");
    }

    static Message message(String id, String... events) {
        return TestUnits.message(id, SENT, String.join("\n", new ArrayList<>(List.of(events))));
    }

    static String hit(String page, String time, String ms) {
        return "{\"type\":\"hit\",\"time\":\"" + time + "\",\"attributes\":{\"page\":\"" + page + "\",\"ms\":" + ms + "}}";
    }
}
