package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.queue.DeadLetterOperations;
import dev.windrow.writer.table.JournalItems;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** An item that can never take what is added to it: its additions become a dead letter, and all others go on. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class ParkedAdditionsTest {

    private static final Path DATASETS = Path.of("src/test/resources/datasets.yaml");
    private static final Duration PATIENCE = Patience.LIMIT;
    private static final String MINUTE = "minute#2026-11-20T10:31:00Z";
    /** DynamoDB's limit of an item, less its keys and this attribute's name. */
    private static final int ALMOST_FULL_BYTES = 409_600 - 80;
    private static int runs;

    private LocalAws aws;
    private ProvisionedQueues queues;
    private TestQueue queue;
    private TestQueue deadLetters;
    private Buckets buckets;
    private String table;
    private Map<String, String> settings;

    @BeforeEach
    void createQueueAndTable() {
        table = "parked-" + runs++;
        queues = aws.createQueue(QueueSpec.named(table).withMaxReceiveCount(1_000));
        queue = new TestQueue(aws.sqs(), queues.url());
        deadLetters = new TestQueue(aws.sqs(), queues.deadLetterUrl());
        aws.createTable(table);
        buckets = new Buckets(aws.dynamoDb(), table);
        settings = new HashMap<>(Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue",
                queues.deadLetterUrl(), "windrow.table", table, "windrow.writer.journal.lease", "2s",
                "windrow.writer.journal.write-every.hour", "1s", "windrow.writer.journal.write-every.day", "1s"));
    }

    /** Why an item rejects what is added to it. */
    private enum Trouble {
        WRONG_TYPE("m_events"),
        NUMBER_OUT_OF_RANGE("m_bytes"),
        ITEM_TOO_LARGE("padding");

        private final String attribute;

        Trouble(String attribute) {
            this.attribute = attribute;
        }

        AttributeValue value() {
            return switch (this) {
                case WRONG_TYPE -> AttributeValue.fromS("seven");
                case NUMBER_OUT_OF_RANGE -> AttributeValue.fromN("9".repeat(38));
                case ITEM_TOO_LARGE -> AttributeValue.fromS("x".repeat(ALMOST_FULL_BYTES));
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void countOnceWhenTheyAreReplayedAfterTheRepairHoweverOften(Trouble trouble) {
        // Given an item that rejects what is added to it
        update("poisoned", "SET " + trouble.attribute + " = :value", Map.of(":value", trouble.value()));
        queue.sendAll(List.of(click("poisoned"), click("poisoned"), click("good")));

        try (InProcessWriter writer = writer()) {
            // When
            await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() > 0);
            assertThat(writer.counter("windrow.writer.journal.parked", "reason", "refused")).isPositive();
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", "refused")).isPositive();
            // Others go on, also those that come later
            queue.send(click("good"));
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }

        // Then everything else is counted
        assertThat(buckets.measure("clicks", "events")).containsEntry("good " + MINUTE, new BigDecimal(2))
                .containsEntry("good day#2026-11-20T00:00:00Z", new BigDecimal(2))
                .containsEntry("poisoned day#2026-11-20T00:00:00Z", new BigDecimal(2));
        assertThat(buckets.measure("clicks", "events")).doesNotContainKey("poisoned " + MINUTE);

        // When the item is repaired, and the letters are replayed twice
        update("poisoned", "REMOVE " + trouble.attribute, Map.of());
        List<Message> letters = new ArrayList<>(deadLetters.drain());
        assertThat(letters).allSatisfy(letter -> {
            assertThat(letter.messageAttributes().get("reason").stringValue()).isEqualTo("refused");
            assertThat(letter.body()).contains("default#clicks#poisoned#0", MINUTE);
        });
        for (int copy = 0; copy < 2; copy++) {
            letters.forEach(letter -> new TestQueue(aws.sqs(), queues.deadLetterUrl()).send(letter.body(), attributes(letter)));
        }
        int replayed = new DeadLetterOperations(aws.sqs(), queues.deadLetterUrl(), Duration.ofDays(15), Clock.systemUTC())
                .replay(queues.url(), 100, false).await().indefinitely().sentCount();
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }

        // Then
        assertThat(replayed).isEqualTo(2 * letters.size());
        assertThat(deadLetters.size()).isZero();
        assertThat(buckets.measure("clicks", "events")).containsEntry("poisoned " + MINUTE, new BigDecimal(2))
                .containsEntry("poisoned day#2026-11-20T00:00:00Z", new BigDecimal(2));
        assertThat(buckets.measure("clicks", "bytes")).containsEntry("poisoned " + MINUTE, new BigDecimal(10));
        assertThat(buckets.measure("clicks", "largest")).containsEntry("poisoned " + MINUTE, new BigDecimal(5));
    }

    @Test
    void ofALabelThatSharesItsPartitionKeyWithOthersAreReplayedToItsItem() {
        // Given
        String view = "{\"type\":\"view\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"r\",\"url\":\"/URL\"}}";
        Map<String, AttributeValue> poisoned = JournalItems.key("default#views#r#0", MINUTE + "#/poisoned");
        aws.dynamoDb().updateItem(update -> update.tableName(table).key(poisoned).updateExpression("SET m_events = :text")
                .expressionAttributeValues(Map.of(":text", AttributeValue.fromS("seven")))).join();
        queue.sendAll(List.of(view.replace("URL", "poisoned"), view.replace("URL", "good"), view.replace("URL", "poisoned")));

        // When
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() > 0);
        }
        aws.dynamoDb().updateItem(update -> update.tableName(table).key(poisoned).updateExpression("REMOVE m_events")).join();
        deadLetters.drain().forEach(letter -> {
            assertThat(letter.body()).contains("default#views#r#0", MINUTE + "#/poisoned");
            queue.send(letter.body(), attributes(letter));
        });
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }

        // Then
        assertThat(deadLetters.size()).isZero();
        assertThat(buckets.measure("views", "events")).containsExactlyInAnyOrderEntriesOf(Map.of("r,/poisoned " + MINUTE,
                new BigDecimal(2), "r,/good " + MINUTE, new BigDecimal(1)));
    }

    @Test
    void whoseTextSqsRejectsAreCompressedAndReplayed() {
        // Given a label with a character that SQS rejects, and an item that rejects what is added to it
        String label = "poisoned\uffff";
        update(label, "SET m_events = :value", Map.of(":value", AttributeValue.fromS("seven")));
        queue.send(click("poisoned\\uffff"));

        // When the item is repaired, and the letters are replayed
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() > 0);
        }
        update(label, "REMOVE m_events", Map.of());
        List<Message> letters = deadLetters.drain();
        letters.forEach(letter -> queue.send(letter.body(), attributes(letter)));
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }

        // Then
        assertThat(letters).isNotEmpty().allSatisfy(
                letter -> assertThat(letter.messageAttributes().get("content-encoding").stringValue()).isEqualTo("gzip"));
        assertThat(deadLetters.size()).isZero();
        assertThat(buckets.measure("clicks", "events")).containsEntry(label + " " + MINUTE, BigDecimal.ONE);
    }

    @Test
    void ofATenantThatIsDeniedHoldUpNobodyElse() {
        // Given
        List<Message> letters = new ArrayList<>();
        try (FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), request -> request.body().toString().contains("acme#")
                ? DynamoDbFaults.accessDenied()
                : new Fault.Pass());
                DynamoDbAsyncClient dynamoDb = TestClients.dynamoDb(proxy.endpoint());
                InProcessWriter writer = new InProcessWriter(DATASETS, settings,
                        InProcessWriter.deniedFor(Duration.ofMillis(500)), aws.sqs(), dynamoDb)) {
            for (int i = 0; i < 4; i++) {
                queue.send(click("denied-" + i).replace("{\"type", "{\"tenant\":\"acme\",\"type"));
                queue.send(click("allowed-" + i));
            }

            // When three granularities of each label become letters: what adds up, and the extreme
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            await().atMost(PATIENCE).until(() -> {
                letters.addAll(deadLetters.drain());
                return letters.size() >= 24;
            });
            assertThat(writer.tableProblem()).isNull();
        }

        // Then
        assertThat(letters).hasSize(24).allSatisfy(letter -> {
            assertThat(letter.messageAttributes().get("reason").stringValue()).isEqualTo("access-denied");
            assertThat(letter.body()).contains("acme#clicks#denied-");
        });
        assertThat(buckets.measure("clicks", "events")).hasSize(12);

        // When the tenant is allowed, and the letters are replayed
        letters.forEach(letter -> queue.send(letter.body(), attributes(letter)));
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
        }

        // Then
        assertThat(buckets.measure("clicks", "events")).hasSize(24).allSatisfy(
                (bucket, events) -> assertThat(events).isEqualTo(BigDecimal.ONE));
        assertThat(buckets.measure("clicks", "largest")).hasSize(24);
        assertThat(deadLetters.size()).isZero();
    }

    @Test
    void areRejectedWhenTheyNameAnotherItemThanABucket() {
        // Given
        String forged = "{\"pk\":\"~lane#0\",\"sk\":\"lane\",\"granularity\":\"minute\","
                + "\"additions\":[{\"measure\":\"events\",\"kind\":\"count\",\"value\":\"1\"}]}";
        queue.send(forged, Map.of("parked", "1", "source-message-id", "parked-1", "source-sent", "1795170692000"));

        // When
        try (InProcessWriter writer = writer()) {
            await().atMost(PATIENCE).until(() -> queue.size() == 0 && deadLetters.size() == 1);
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", "invalid-envelope")).isEqualTo(1);
        }

        // Then
        assertThat(deadLetters.drain().get(0).messageAttributes().get("detail").stringValue()).contains("pk");
    }

    private InProcessWriter writer() {
        return new InProcessWriter(DATASETS, settings, aws.sqs(), aws.dynamoDb());
    }

    private void update(String referrer, String expression, Map<String, AttributeValue> values) {
        aws.dynamoDb().updateItem(update -> update.tableName(table)
                .key(JournalItems.key("default#clicks#" + referrer + "#0", MINUTE))
                .updateExpression(expression).expressionAttributeValues(values.isEmpty() ? null : values)).join();
    }

    private static Map<String, String> attributes(Message letter) {
        Map<String, String> attributes = new HashMap<>();
        letter.messageAttributes().forEach((name, value) -> attributes.put(name, value.stringValue()));
        return attributes;
    }

    private static String click(String referrer) {
        return "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"" + referrer
                + "\",\"bytes\":5}}";
    }
}
