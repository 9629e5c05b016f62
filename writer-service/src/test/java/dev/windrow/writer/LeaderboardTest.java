package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.base.KeyCodec;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** Scores of games, from the queue into the index of leaderboards. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class LeaderboardTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final int WIDTH = 4;
    private static final String DATASETS = """
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
    private static int runs;

    /** Of its own: beside nine tables with a TTL, DynamoDB Local never builds the index of one that exists. */
    private static Runnable closeTables;
    private static DynamoDbAsyncClient dynamoDb;

    @TempDir
    Path folder;

    private LocalAws aws;
    private TestQueue queue;
    private TestQueue deadLetters;
    private String table;
    private Map<String, String> settings;

    @BeforeAll
    static void startTables() {
        LocalAws local = LocalAws.start(LocalAwsOptions.forTests());
        closeTables = local::close;
        dynamoDb = local.dynamoDb();
    }

    @AfterAll
    static void stopTables() {
        closeTables.run();
    }

    @BeforeEach
    void createQueueAndTable() {
        table = "leaderboards-" + runs++;
        ProvisionedQueues queues = aws.createQueue(QueueSpec.named(table).withMaxReceiveCount(1_000));
        queue = new TestQueue(aws.sqs(), queues.url());
        deadLetters = new TestQueue(aws.sqs(), queues.deadLetterUrl());
        settings = Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue", queues.deadLetterUrl(),
                "windrow.table", table, "windrow.writer.journal.lease", "2s");
    }

    @Test
    void hasEachScoreUnderItsGameAndNoneOfWhoHasNone() throws IOException {
        // Given
        provision(Set.of("best"));
        queue.sendAll(List.of(score("Meteor Blasters", "101", "1000"), score("Meteor Blasters", "102", "192"),
                score("Meteor Blasters", "101", "900"), score("Comet Quest", "123", "0"), score("Comet Quest", "201", "0"),
                score("Comet Quest", "301", "0"), score("Comet Quest", "400", null),
                score("Comet Quest", "500", "\"a lot\"")));

        // When
        write(DATASETS + RANK);

        // Then
        assertThat(leaderboard("Meteor$PBlasters")).containsExactlyInAnyOrder("101 1000", "102 192");
        assertThat(leaderboard("Comet$PQuest")).containsExactlyInAnyOrder("123 0", "201 0", "301 0");
        assertThat(deadLetters.drain()).singleElement().extracting(Message::body).asString().contains("a lot");

        // When a score is beaten
        queue.send(score("Meteor Blasters", "102", "2000"));
        write(DATASETS + RANK);

        // Then
        assertThat(leaderboard("Meteor$PBlasters")).containsExactlyInAnyOrder("101 1000", "102 2000");
    }

    @Tag("slow")
    @Test
    void thatIsDeclaredLateHasAnItemFromItsNextWriteOn() throws IOException {
        // Given
        provision(Set.of());
        queue.sendAll(List.of(score("Comet Quest", "123", "7"), score("Comet Quest", "201", "5")));
        write(DATASETS);
        provision(Set.of("best"));
        assertThat(leaderboard("Comet$PQuest")).isEmpty();

        // When
        queue.sendAll(List.of(score("Comet Quest", "123", "3")));
        write(DATASETS + RANK);

        // Then
        assertThat(leaderboard("Comet$PQuest")).containsExactly("123 7");
    }

    private void provision(Set<String> ranked) {
        new TableProvisioner(dynamoDb, new WaiterPolicy(Duration.ofMillis(50), 2_400))
                .provision(TableSpec.named(table).withRanks(ranked)).toCompletableFuture().join();
    }

    private void write(String datasets) throws IOException {
        Path file = Files.writeString(folder.resolve("datasets.yaml"), datasets);
        try (InProcessWriter writer = new InProcessWriter(file, settings, aws.sqs(), dynamoDb)) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }
    }

    /** Users and scores of all shards. */
    private List<String> leaderboard(String game) {
        return IntStream.range(0, WIDTH).mapToObj(shard -> dynamoDb.query(query -> query.tableName(table)
                .indexName(TableSchema.rankIndex("best")).keyConditionExpression("r_best = :r")
                .expressionAttributeValues(Map.of(":r",
                        AttributeValue.fromS("default#scores#minute#2026-11-20T10:31:00Z#" + game + "#" + shard))))
                .join().items()).flatMap(List::stream).map(item -> {
                    assertThat(item).containsOnlyKeys("pk", "sk", "r_best", "m_best");
                    return KeyCodec.decode(item.get("pk").s()).get(3) + " " + item.get("m_best").n();
                }).toList();
    }

    private static String score(String game, String user, String score) {
        return "{\"type\":\"score\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"game\":\"" + game + "\",\"user\":\""
                + user + "\"" + (score == null ? "" : ",\"score\":" + score) + "}}";
    }
}
