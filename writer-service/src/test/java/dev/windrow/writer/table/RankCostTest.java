package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.journal.JournalRecord.BucketItem;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.JournalRecord.IndexKey;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteResult;
import dev.windrow.writer.testing.TestUnits;
import io.vertx.core.Vertx;

/** What a leaderboard adds to the write units of a bucket, as the table reports them. */
class RankCostTest {

    /** Far ahead: what the journal lets expire, the table may delete, by the time of the machine. */
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

    private static LocalAws aws;
    private static Vertx vertx;
    private static AwsJsonClient client;

    private int messages;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        vertx = Vertx.vertx();
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC())
                .dynamoDb(aws.dynamoDb(), 8);
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @Test
    void unitsAreReportedIndexByIndex() {
        DynamoTable table = new DynamoTable(client, "by-index", Patience.LIMIT);
        new TableProvisioner(aws.dynamoDb(), new WaiterPolicy(Duration.ofMillis(50), 2_400))
                .provision(TableSpec.named("by-index")).toCompletableFuture().join();

        WriteResult result = table.write(TableWrite.single(JournalItems.sums(new Request.ApplySums(0,
                new BucketItem("default#scores#Comet#0", "minute#2026-11-20T10:31:00Z",
                        new IndexKey("default#scores#minute#0", "2026-11-20T10:31:00Z#Comet#0")),
                1, 1, List.of(new Change("plays", MeasureKind.COUNT, MeasureValue.ONE)), List.of()), DeclaredAttributes.NONE)))
                .await().atMost(Patience.LIMIT);

        assertThat(result.units()).isEqualTo(2);
        assertThat(result.indexUnits()).isEqualTo(Map.of("scatter", 1.0));
    }

    @Test
    void ofAnExtremeIsPaidOnlyWhereItWins() {
        // First: its item has no value yet; a score that is beaten; one that is not
        List<Double> without = units("without", DATASET);
        List<Double> ranked = units("by-best", DATASET + "      rank: [{by: best, within: [game]}]\n");

        assertThat(more(ranked, without)).containsExactly(1.0, 2.0, 0.0);
    }

    @Test
    void ofASumIsPaidWithEachUpdate() {
        List<Double> without = units("without-sum", DATASET);
        List<Double> ranked = units("by-plays", DATASET + "      rank: [{by: plays, within: [game]}]\n");

        assertThat(more(ranked, without)).containsExactly(1.0, 2.0, 2.0);
    }

    @Test
    void partitionsAndRetentionChangeNothing() {
        String ranked = DATASET + "      rank: [{by: best, within: [game]}, {by: plays}]\n";

        assertThat(units("partitioned", ranked + "      partition: 1\n")).isEqualTo(units("whole", ranked));
        assertThat(units("kept", ranked + "      retention: {minute: 2d}\n")).isEqualTo(units("for-ever", ranked));
    }

    /** Three granularities, two of them indexed, one of these ranked by a count and one by an extreme. */
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
                // The highest so far
                bucketsAndIndex + extreme + 2 * changedValue,
                // Neither the highest nor the lowest: the count changes alone
                bucketsAndIndex + changedValue);
    }

    private static List<Double> more(List<Double> ranked, List<Double> without) {
        List<Double> more = new ArrayList<>();
        for (int i = 0; i < ranked.size(); i++) {
            more.add(ranked.get(i) - without.get(i));
        }
        return more;
    }

    /** Write units of the bucket for each of three scores. */
    private List<Double> units(String table, String yaml) {
        Datasets datasets = DatasetsYaml.parse("test", yaml);
        new TableProvisioner(aws.dynamoDb(), new WaiterPolicy(Duration.ofMillis(50), 2_400))
                .provision(TableSpec.named(table).withRanks(datasets.rankedMeasures())).toCompletableFuture().join();
        DynamoTable writes = new DynamoTable(client, table, Patience.LIMIT);
        List<Double> taken = new ArrayList<>();
        TableWrites counting = write -> writes.write(write).invoke(result -> {
            if (write.updates().stream().noneMatch(update -> update.partitionKey().startsWith("~"))) {
                taken.set(taken.size() - 1, taken.get(taken.size() - 1) + result.units());
            }
        });
        VirtualJournal journal = new VirtualJournal(counting, writes, datasets, TIME);
        TestUnits units = new TestUnits(yaml);
        for (int score : List.of(5, 9, 7)) {
            taken.add(0.0);
            journal.receive(units.of(TestUnits.message("m" + messages++, TIME, "{\"type\":\"score\",\"time\":\"" + TIME
                    + "\",\"attributes\":{\"game\":\"g\",\"user\":\"u\",\"score\":" + score + "}}")));
            journal.settle();
        }
        return taken;
    }
}
