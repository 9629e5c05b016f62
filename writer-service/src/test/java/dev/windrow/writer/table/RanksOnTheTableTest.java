package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.dataset.Rank;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableSpec;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.time.Granularity;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.IndexKey;
import dev.windrow.writer.testing.PlainClients;
import dev.windrow.writer.testing.TestUnits;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Leaderboards on a real table: their entries, and the write units that they add to a bucket, as the table reports them; and
 * the expiry of items, which also follows from their keys and the declaration.
 */
class RanksOnTheTableTest {

    /** In the far future, so that the table deletes no journal items, which expire by the machine's clock. */
    private static final Instant TIME = Instant.parse("2090-11-20T10:31:00Z");
    private static final String DATASET = """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [minute]
                  index: [minute]
                  measures:
                    plays: {type: count}
                    best: {type: max, attribute: score}
            """;

    private static final String RANK = "      rank: [{by: best, within: [game], width: 4}]\n";

    private static final Datasets SCORES = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [minute, day]
                  index: [minute, day]
                  measures: {plays: {type: count}, best: {type: max, attribute: score}}
                  rank: [{by: best, within: [game], width: 4, granularities: [day]}, {by: plays, granularities: [minute, day]}]
            """);
    private static final Datasets CLICKS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}, rank: [{by: events}]}
            """);
    private static final Map<String, AttributeValue> REGISTRY = Map.of("k_scores", ranks(SCORES, "scores"), "c_clicks",
            AttributeValue.fromS("of a newer version"), "d_scores", AttributeValue.fromS("a shape"));

    @AutoClose
    private static LocalAws tables;

    private int messages;

    @BeforeAll
    static void startServers() {
        tables = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @Test
    void haveEachScoreUnderItsGameAndNoneOfWhoHasNone() {
        // Given
        DynamoTable table = PlainClients.create(tables, new TableSpec("scores", Set.of("best")));

        // When
        write(table, DATASET + RANK, score("Meteor Blasters", "101", 1000), score("Meteor Blasters", "102", 192),
                score("Meteor Blasters", "101", 900), score("Comet Quest", "123", 0), score("Comet Quest", "201", 0),
                score("Comet Quest", "301", 0), score("Comet Quest", "400", null));

        // Then
        assertThat(leaderboard(tables, "scores", "Meteor$PBlasters")).containsExactlyInAnyOrder("101 1000", "102 192");
        assertThat(leaderboard(tables, "scores", "Comet$PQuest")).containsExactlyInAnyOrder("123 0", "201 0", "301 0");

        // When a score is beaten
        write(table, DATASET + RANK, score("Meteor Blasters", "102", 2000));

        // Then
        assertThat(leaderboard(tables, "scores", "Meteor$PBlasters")).containsExactlyInAnyOrder("101 1000", "102 2000");
    }

    /** Uses its own DynamoDB Local, which never adds an index to an existing table if nine others have a TTL. */
    @Tag("slow")
    @Test
    void thatAreDeclaredLateHaveAnItemFromItsNextWriteOn() {
        try (LocalAws own = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning())) {
            // Given
            DynamoTable table = PlainClients.create(own, TableSpec.named("late"));
            write(table, DATASET, score("Comet Quest", "123", 7), score("Comet Quest", "201", 5));
            PlainClients.create(own, new TableSpec("late", Set.of("best")));
            assertThat(leaderboard(own, "late", "Comet$PQuest")).isEmpty();

            // When
            write(table, DATASET + RANK, score("Comet Quest", "123", 3));

            // Then
            assertThat(leaderboard(own, "late", "Comet$PQuest")).containsExactly("123 7");
        }
    }

    @Test
    void unitsAreReportedIndexByIndex() {
        DynamoTable table = PlainClients.create(tables, TableSpec.named("by-index"));

        WriteResult result = table.write(TableWrite.single(JournalItems.sums(new Request.ApplySums(0,
                new BucketItem("default#scores#Comet#0", "minute#2026-11-20T10:31:00Z",
                        new IndexKey("default#scores#minute#0", "2026-11-20T10:31:00Z#Comet#0")),
                1, 1, List.of(new Change("plays", MeasureKind.COUNT, MeasureValue.ONE)), List.of()), DeclaredAttributes.NONE)))
                .await().atMost(Patience.LIMIT);

        assertThat(result.units()).isEqualTo(2);
        assertThat(result.indexUnits()).isEqualTo(Map.of("scatter", 1.0));
    }

    /** Three scores: the first, one that beats it, one that does not. The rank of a sum costs units with each update. */
    @ParameterizedTest
    @CsvSource({ "best, 0.0", "plays, 2.0" })
    void ofAnExtremeIsPaidOnlyWhereItWins(String by, double notBeaten) {
        List<Double> without = units("without-" + by, DATASET);
        List<Double> ranked = units("by-" + by, DATASET + "      rank: [{by: " + by + ", within: [game]}]\n");

        assertThat(IntStream.range(0, 3).mapToObj(i -> ranked.get(i) - without.get(i)))
                .containsExactly(1.0, 2.0, notBeaten);
    }

    @Test
    void partitionsAndRetentionChangeNothing() {
        String ranked = DATASET + "      rank: [{by: best, within: [game]}, {by: plays}]\n";

        assertThat(units("partitioned", ranked + "      partition: 1\n")).isEqualTo(units("whole", ranked));
        assertThat(units("kept", ranked + "      retention: {minute: 2d}\n")).isEqualTo(units("for-ever", ranked));
    }

    /** Three granularities, two of them indexed: one ranked by a count, the other by an extreme. */
    @Test
    void allTogetherIsWhatTheFormulaSays() {
        String yaml = DATASET.replace("granularities: [minute]", "granularities: [minute, hour, day]")
                .replace("index: [minute]", "index: [hour, day]\n      partition: 1")
                .replace("attribute: score}", "attribute: score}\n        lowest: {type: min, attribute: score}")
                + "      rank: [{by: plays, granularities: [hour]}, {by: best, within: [game], granularities: [day]}]\n";
        double bucketsAndIndex = 3 + 2;
        double extreme = 3 + 2;
        double firstValue = 1;
        double changedValue = 2;

        assertThat(units("formula", yaml)).containsExactly(
                // First: every measure gets its first value
                bucketsAndIndex + 2 * extreme + 2 * firstValue,
                // The highest score so far
                bucketsAndIndex + extreme + 2 * changedValue,
                // Neither the highest nor the lowest: only the count changes
                bucketsAndIndex + changedValue);
    }

    /** The write units of bucket updates for each of three scores. */
    private List<Double> units(String table, String yaml) {
        DynamoTable writes = PlainClients.create(tables,
                new TableSpec(table, DatasetsYaml.parse("test", yaml).rankedMeasures()));
        List<Double> taken = new ArrayList<>();
        TableClient counting = write -> writes.write(write).invoke(result -> {
            if (write.updates().stream().noneMatch(update -> update.partitionKey().startsWith("~"))) {
                taken.set(taken.size() - 1, taken.get(taken.size() - 1) + result.units());
            }
        });
        VirtualJournal journal = new VirtualJournal(counting, writes, DatasetsYaml.parse("test", yaml), TIME);
        for (int score : List.of(5, 9, 7)) {
            taken.add(0.0);
            receive(journal, yaml, score("g", "u", score));
            journal.settle();
        }
        return taken;
    }

    private void write(DynamoTable table, String yaml, String... scores) {
        VirtualJournal journal = new VirtualJournal(table, table, DatasetsYaml.parse("test", yaml), TIME);
        for (String score : scores) {
            receive(journal, yaml, score);
        }
        journal.settle();
    }

    private void receive(VirtualJournal journal, String yaml, String score) {
        journal.receive(new TestUnits(yaml).of(TestUnits.message("m" + messages++, TIME, score)));
    }

    private static List<String> leaderboard(LocalAws tables, String table, String game) {
        return IntStream.range(0, 4).mapToObj(shard -> tables.dynamoDb().query(query -> query.tableName(table)
                .indexName(TableSchema.rankIndex("best")).keyConditionExpression("r_best = :r")
                .expressionAttributeValues(Map.of(":r",
                        AttributeValue.fromS("default#scores#minute#" + TIME + "#" + game + "#" + shard))))
                .join().items()).flatMap(List::stream).map(item -> {
                    assertThat(item).containsOnlyKeys("pk", "sk", "r_best", "m_best");
                    return KeyCodec.decode(item.get("pk").s()).get(3) + " " + item.get("m_best").n();
                }).toList();
    }

    private static String score(String game, String user, @Nullable Integer score) {
        return "{\"type\":\"score\",\"time\":\"" + TIME + "\",\"attributes\":{\"game\":\"" + game + "\",\"user\":\"" + user
                + "\",\"score\":" + score + "}}";
    }

    @Test
    void ofADatasetThatOthersDeclareAreThoseThatTheTableNames() {
        DeclaredAttributes others = DeclaredAttributes.of(CLICKS).withRegistered(REGISTRY);

        for (Granularity granularity : List.of(Granularity.MINUTE, Granularity.DAY, Granularity.HOUR)) {
            BucketKey bucket = bucket("scores", granularity, "Comet Quest", "123");
            assertThat(attributes(others, bucket)).isEqualTo(attributes(DeclaredAttributes.of(SCORES), bucket));
        }
        assertThat(attributes(others, bucket("scores", Granularity.DAY, "Comet Quest", "123")))
                .containsOnlyKeys("r_best", "r_plays");
        assertThat(attributes(DeclaredAttributes.of(CLICKS), bucket("scores", Granularity.DAY, "Comet Quest", "123")))
                .isEmpty();
    }

    /** Otherwise every writer that recovers a lane with buckets of the dataset would stop. */
    @Test
    void linesThatNoKeyCanBeMadeOfAreLeftOut() {
        DeclaredAttributes others = DeclaredAttributes.of(CLICKS).withRegistered(
                Map.of("k_scores", AttributeValue.fromS("best#1#0#day\nbest#-1#4#day\nplays#0#1#day")));

        assertThat(attributes(others, bucket("scores", Granularity.DAY, "Comet Quest", "123"))).containsOnlyKeys("r_plays");
    }

    @Test
    void ofADatasetThatIsDeclaredAreThoseThatAreDeclared() {
        DeclaredAttributes clicks = DeclaredAttributes.of(CLICKS).withRegistered(Map.of("k_clicks", ranks(SCORES, "scores")));
        BucketKey bucket = bucket("clicks", Granularity.MINUTE, "example.org");

        assertThat(attributes(clicks, bucket)).containsOnlyKeys("r_events");
    }

    private static AttributeValue ranks(Datasets datasets, String dataset) {
        return AttributeValue.fromS(Rank.lines(datasets.named(dataset).orElseThrow().ranks()));
    }

    private static BucketKey bucket(String dataset, Granularity granularity, String... label) {
        return new BucketKey(new SeriesKey("default", dataset, new Label(List.of(label)), 0), granularity,
                granularity.floor(Instant.parse("2026-11-20T10:31:00Z")));
    }

    private static Map<String, String> attributes(DeclaredAttributes ranks, BucketKey bucket) {
        return ranks.ranks(bucket.series().partitionKey(), bucket.sortKey());
    }

    private static final DeclaredAttributes EXPIRY = DeclaredAttributes.of(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host, page], partition: 1, granularities: [5-minutes, day, month, forever],
                  measures: {events: {type: count}}, retention: {5-minutes: 2d, day: 30d, month: 400d}}
                views: {event-type: view, label: [], granularities: [minute], measures: {events: {type: count}}}
            """));

    /** Pins the values: every release must write the same expiry for an item. */
    @ParameterizedTest
    @CsvSource({ "5-minutes#2026-11-20T10:30:00Z#/a, 2026-11-23T10:35:00Z", "day#2026-11-20T00:00:00Z#/a, 2026-12-22T00:00:00Z",
            "month#2024-02-01T00:00:00Z#/$$a#b, 2025-04-06T00:00:00Z" })
    void anItemsExpiryIsTheEndOfTheBucketTheRetentionAndADay(String sortKey, Instant deleted) {
        assertThat(EXPIRY.expiry("default#clicks#example.org#0", sortKey)).hasValue(deleted.getEpochSecond());
    }

    @ParameterizedTest
    @CsvSource({ "default#clicks#example.org#0, forever#1970-01-01T00:00:00Z#/a",
            "default#views#0, minute#2026-11-20T10:30:00Z", "default#others#0, day#2026-11-20T00:00:00Z",
            "~datasets, shapes", "~lane#1, lane", "~record#1#7, 0", "clicks, day#2026-11-20T00:00:00Z",
            "default#clicks#example.org#0, hour", "default#clicks#example.org#0, day#yesterday",
            "default#clicks#example.org#0, fortnight#2026-11-20T00:00:00Z",
            "default#clicks#example.org#0, day#+1000000000-12-31T00:00:00Z" })
    void anExpiryIsNotKnownOfWhatIsKeptForEverOrIsNoBucketOfADeclaredDataset(String partitionKey, String sortKey) {
        assertThat(EXPIRY.expiry(partitionKey, sortKey)).isEmpty();
    }

    @Test
    void withoutARetentionNothingExpires() {
        assertThat(DeclaredAttributes.NONE.expiry("default#clicks#example.org#0", "day#2026-11-20T00:00:00Z"))
                .isEqualTo(OptionalLong.empty());
    }
}
