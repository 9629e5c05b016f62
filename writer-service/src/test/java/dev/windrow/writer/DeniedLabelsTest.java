package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** A table that refuses some labels for good, or all of them until somebody mends it. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class DeniedLabelsTest {

    private static final Path DATASETS = Path.of("src/test/resources/datasets.yaml");
    private static final Duration PATIENCE = Patience.LIMIT;
    /** With what each lacks, more than is written at a time. */
    private static final int DENIED_LABELS = 20;
    /** Of each label three granularities, each with what adds up and an extreme. */
    private static final int LETTERS = 6 * DENIED_LABELS;
    private static final int GOOD_LABELS = 20;
    private static int runs;

    private LocalAws aws;
    private FaultProxy proxy;
    private DynamoDbAsyncClient dynamoDb;
    private TestQueue queue;
    private TestQueue deadLetters;
    private Buckets buckets;
    private Map<String, String> settings;

    @BeforeEach
    void createQueueAndTable() {
        String name = "denied-" + runs++;
        ProvisionedQueues queues = aws.createQueue(QueueSpec.named(name).withMaxReceiveCount(1_000));
        queue = new TestQueue(aws.sqs(), queues.url());
        deadLetters = new TestQueue(aws.sqs(), queues.deadLetterUrl());
        aws.createTable(name);
        buckets = new Buckets(aws.dynamoDb(), name);
        proxy = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
        settings = new HashMap<>(Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue",
                queues.deadLetterUrl(), "windrow.table", name,
                "windrow.writer.journal.write-every.hour", "1s", "windrow.writer.journal.write-every.day", "1s"));
        dynamoDb = TestClients.dynamoDb(proxy.endpoint());
    }

    @AfterEach
    void close() {
        dynamoDb.close();
        proxy.close();
    }

    static Stream<String> reasons() {
        return GeneratedCases.isSlow() ? Stream.of("access-denied", "unknown-error") : Stream.of("access-denied");
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void writesOtherLabelsAndKeepsTheDeniedOnesAsDeadLetters(String reason) {
        // Given
        Fault fault = reason.equals("access-denied") ? DynamoDbFaults.accessDenied()
                : DynamoDbFaults.clientError("LabelNotLikedException", "not this label");
        proxy.use(deniesTenant("acme", fault));
        queue.sendAll(clicks("acme", DENIED_LABELS));

        // When
        List<Message> letters = new ArrayList<>();
        try (InProcessWriter writer = new InProcessWriter(DATASETS, settings,
                InProcessWriter.deniedFor(Duration.ofMillis(500)), aws.sqs(), dynamoDb)) {
            await().atMost(PATIENCE).until(() -> writer.counter("windrow.writer.messages.received") >= DENIED_LABELS);
            queue.sendAll(clicks("good", GOOD_LABELS));

            // Then the others are written, and the denied ones end with their reason
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(counted()).isEqualTo(GOOD_LABELS));
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            await().atMost(PATIENCE)
                    .until(() -> writer.counter("windrow.writer.journal.parked", "reason", reason) == LETTERS);
            assertThat(writer.counter("windrow.writer.dead.letters", "reason", reason)).isEqualTo(LETTERS);
            assertThat(writer.tableProblem()).isNull();
        }
        letters.addAll(deadLetters.drain());
        assertThat(letters).hasSize(LETTERS).allSatisfy(letter -> {
            assertThat(letter.messageAttributes().get("reason").stringValue()).isEqualTo(reason);
            assertThat(letter.messageAttributes().get("detail").stringValue()).contains("acme#clicks#");
        });
    }

    static Stream<Arguments> ofEveryLabel() {
        return Stream.of(arguments("access-denied", DynamoDbFaults.accessDenied()),
                arguments("schema-mismatch", validation("The provided key element does not match the schema")),
                arguments("schema-mismatch",
                        validation("One or more parameter values were invalid: Type mismatch for Index Key ipk"
                                + " Expected: N Actual: S IndexName: scatter")));
    }

    private static Fault validation(String message) {
        return DynamoDbFaults.clientError("ValidationException", message);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("ofEveryLabel")
    void waitsWhileEveryLabelIsDeniedOrTheTableHasOtherKeys(String reason, Fault fault) {
        // Given a writer that holds a lane
        try (InProcessWriter writer = new InProcessWriter(DATASETS, settings,
                InProcessWriter.deniedFor(Duration.ofMillis(500)), aws.sqs(), dynamoDb)) {
            await().atMost(PATIENCE).until(() -> writer.counter("windrow.writer.journal.lane") >= 0);

            // When
            proxy.use(deniesTenant("", fault));
            queue.sendAll(clicks("acme", GOOD_LABELS));
            await().atMost(PATIENCE).until(() -> writer.counter("windrow.writer.messages.received") >= GOOD_LABELS);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(writer.tableProblem()).contains(reason));
            assertThat(deadLetters.size()).isZero();
            proxy.use(FaultPlan.none());

            // Then
            await().atMost(PATIENCE).until(() -> queue.size() == 0);
            assertThat(writer.tableProblem()).isNull();
        }
        assertThat(counted()).isEqualTo(GOOD_LABELS);
        assertThat(deadLetters.size()).isZero();
    }

    private static FaultPlan deniesTenant(String tenant, Fault fault) {
        return request -> request.partitionKey().filter(key -> key.startsWith(tenant)).isPresent() ? fault
                : new Fault.Pass();
    }

    private int counted() {
        return buckets.measure("clicks", "events").entrySet().stream().filter(entry -> entry.getKey().contains(" day#"))
                .map(Map.Entry::getValue).reduce(BigDecimal.ZERO, BigDecimal::add).intValueExact();
    }

    private static List<String> clicks(String tenant, int labels) {
        return IntStream.range(0, labels).mapToObj(i -> "{\"type\":\"click\",\"tenant\":\"" + tenant
                + "\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"r" + i + "\",\"bytes\":5}}").toList();
    }
}
