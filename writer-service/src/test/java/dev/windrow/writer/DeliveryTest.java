package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.local.LocalAws;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.WriterWiring.FlowSettings;
import dev.windrow.writer.queue.Acknowledger.AcknowledgeSettings;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.EmbeddedAws;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Whole writers, beside one another, on queues that deliver again and again. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class DeliveryTest {

    private static final Path DATASETS = Path.of("src/test/resources/datasets.yaml");
    private static final Duration PATIENCE = Patience.LIMIT;
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static int runs;

    private LocalAws aws;
    private ProvisionedQueues queues;
    private TestQueue queue;
    private Buckets buckets;
    private String table;

    @BeforeEach
    void createQueueAndTable() {
        String name = "delivery-" + runs++;
        createQueue(name, Duration.ofSeconds(60));
        table = name;
        aws.createTable(table);
        buckets = new Buckets(aws.dynamoDb(), table);
    }

    private void createQueue(String name, Duration visibility) {
        queues = aws.createQueue(QueueSpec.named(name).withVisibilityTimeout(visibility)
                .withMaxReceiveCount(1_000));
        queue = new TestQueue(aws.sqs(), queues.url());
    }

    @Test
    void countsOnceWhatIsDeliveredTwiceInOneReceiveAndAgainToAnotherWriter() {
        // Given
        createQueue("short-" + runs++, SHORT);
        RandomGenerator random = Seeds.random("deliveredTwice");
        Map<String, BigDecimal> expected = send(150, random);

        // When
        double duplicates;
        try (UnreliableQueue unreliable = UnreliableQueue.start(aws.sqsEndpoint(), random, 0.3, true);
                InProcessWriter one = writer(unreliable.sqs());
                InProcessWriter other = writer(unreliable.sqs())) {
            awaitEmpty();
            duplicates = one.counter("windrow.writer.duplicates.dropped")
                    + other.counter("windrow.writer.duplicates.dropped");
        }

        // Then
        assertThat(duplicates).isGreaterThanOrEqualTo(150);
        assertThat(days()).isEqualTo(expected);
        assertThat(new TestQueue(aws.sqs(), queues.deadLetterUrl()).size()).isZero();
    }

    @Tag("slow")
    @Test
    void countsOnceWhenDeletesFail() {
        // Given
        createQueue("short-" + runs++, SHORT);
        RandomGenerator random = Seeds.random("deletesFail");
        Map<String, BigDecimal> expected = send(60, random);
        Map<String, String> settings = settings();
        AcknowledgeSettings usual = AcknowledgeSettings.DEFAULTS;
        FlowSettings fewAttempts = InProcessWriter.flow(new AcknowledgeSettings(usual.linger(), usual.maxConcurrency(), 2,
                usual.initialBackoff(), usual.timeout()), InProcessWriter.FLOW.deleteAfter(), InProcessWriter.FLOW.deniedFor());

        // When
        double duplicates;
        try (UnreliableQueue unreliable = UnreliableQueue.start(aws.sqsEndpoint(), random, 0.35, false);
                InProcessWriter writer = new InProcessWriter(DATASETS, settings, fewAttempts, unreliable.sqs(),
                        aws.dynamoDb())) {
            awaitEmpty();
            duplicates = writer.counter("windrow.writer.duplicates.dropped");
        }

        // Then
        assertThat(duplicates).isPositive();
        assertThat(days()).isEqualTo(expected);
    }

    /** As after two killed writers. One at a time, with a second for each, would take half an hour. */
    @Test
    void aBacklogThatWasReceivedTwiceBeforeIsConsumedWithoutASecondForEach() {
        // Given
        Map<String, BigDecimal> expected = send(2_000, Seeds.random("receivedTwice"));
        for (int kill = 0; kill < 2; kill++) {
            receiveAndLeave(2_000);
        }

        // When
        double duplicates;
        try (InProcessWriter writer = writer(aws.sqs())) {
            awaitEmpty();
            duplicates = writer.counter("windrow.writer.duplicates.dropped");
        }

        // Then
        assertThat(duplicates).isZero();
        assertThat(days()).isEqualTo(expected);
        assertThat(new TestQueue(aws.sqs(), queues.deadLetterUrl()).size()).isZero();
    }

    @Test
    void countsWithTheSmallestSettings() {
        // Given
        Map<String, BigDecimal> expected = send(20, Seeds.random("smallest"));
        Map<String, String> settings = settings();
        settings.putAll(Map.of("windrow.writer.aggregate.max-age", "PT0.0005S", "windrow.writer.source.max-bytes", "2M"));

        // When
        try (InProcessWriter writer = new InProcessWriter(DATASETS, settings, aws.sqs(), aws.dynamoDb())) {
            awaitEmpty();
        }

        // Then
        assertThat(days()).isEqualTo(expected);
    }

    @Test
    void losesAndDoublesNothingWhenDrainedUnderLoad() {
        // Given
        RandomGenerator random = Seeds.random("drained");
        Map<String, BigDecimal> expected = send(600, random);
        InProcessWriter first = writer(aws.sqs());
        await().atMost(PATIENCE).until(() -> !days().isEmpty());

        // When
        first.drain(PATIENCE);

        // Then
        assertThat(hidden()).as("messages that are hidden after the drain").isZero();
        try (InProcessWriter second = writer(aws.sqs())) {
            awaitEmpty();
        }
        first.close();
        assertThat(days()).isEqualTo(expected);
    }

    @Test
    void returnsAtOnceWhatItCannotWriteInTime() {
        // Given
        Map<String, BigDecimal> expected = send(50, Seeds.random("handsBack"));
        try (InterceptedTable full = InterceptedTable.at(aws.dynamoDbEndpoint());
                InProcessWriter stuck = new InProcessWriter(DATASETS, settings(), aws.sqs(), full.client())) {
            full.proxy().use(FaultPlan.always(DynamoDbFaults.throughputExceeded()).onlyFor("TransactWriteItems"));
            await().atMost(PATIENCE).until(() -> stuck.counter("windrow.writer.messages.received") >= 50);

            // When
            int left = stuck.drain(Duration.ofSeconds(2));

            // Then
            assertThat(left).isEqualTo(50);
            assertThat(hidden()).isZero();
            await().atMost(PATIENCE).until(() -> full.proxy().audit().inFlight() == 0);
            long requests = full.requests();
            try (InProcessWriter second = writer(aws.sqs())) {
                awaitEmpty();
            }
            assertThat(days()).isEqualTo(expected);
            assertThat(full.requests()).as("requests after the drain").isEqualTo(requests);
        }
    }

    @Tag("slow")
    @Test
    void keepsMessagesHiddenLongerThanTheVisibilityTimeoutWhileTheyWait() {
        // Given
        createQueue("short-" + runs++, SHORT);
        Map<String, String> settings = settings();
        settings.putAll(waitingFourSeconds());
        Map<String, BigDecimal> expected = send(30, Seeds.random("keepsHidden"));

        // When
        double duplicates;
        double received;
        try (InProcessWriter writer = new InProcessWriter(DATASETS, settings, aws.sqs(), aws.dynamoDb())) {
            awaitEmpty();
            duplicates = writer.counter("windrow.writer.duplicates.dropped");
            received = writer.counter("windrow.writer.messages.received");
        }

        // Then
        assertThat(received).isEqualTo(30);
        assertThat(duplicates).isZero();
        assertThat(days()).isEqualTo(expected);
    }

    @Tag("slow")
    @Test
    void keepsOneCopyOfWhatIsDeliveredAgainWhileItWaits() {
        // Given
        createQueue("short-" + runs++, SHORT);
        Map<String, String> settings = settings();
        settings.putAll(waitingFourSeconds());
        Map<String, BigDecimal> expected = send(30, Seeds.random("keepsOneCopy"));

        // When
        double renewed;
        try (UnreliableQueue unreliable = UnreliableQueue.withoutVisibilityChanges(aws.sqsEndpoint());
                InProcessWriter writer = new InProcessWriter(DATASETS, settings, unreliable.sqs(), aws.dynamoDb())) {
            awaitEmpty();
            renewed = writer.counter("windrow.writer.messages.redelivered");
        }

        // Then
        assertThat(renewed).isPositive();
        assertThat(days()).isEqualTo(expected);
    }

    @Test
    void countsMessagesOfFifoGroups() {
        // Given
        createQueue("fifo-" + runs++ + ".fifo", Duration.ofSeconds(60));
        for (int i = 0; i < 60; i++) {
            int number = i;
            aws.sqs().sendMessage(request -> request.queueUrl(queues.url()).messageBody(click("fifo", "1"))
                    .messageGroupId("group-" + number % 3).messageDeduplicationId("id-" + number)).join();
        }

        // When
        try (InProcessWriter writer = writer(aws.sqs())) {
            awaitEmpty();
        }

        // Then
        assertThat(days()).isEqualTo(Map.of("fifo day#2026-11-20T00:00:00Z", new BigDecimal(60)));
    }

    @Test
    void countsEventsByTheirOwnIdHoweverOftenTheyAreSent() {
        // Given
        for (int copy = 0; copy < 3; copy++) {
            for (int i = 0; i < 20; i++) {
                queue.send("[" + order("o" + i) + "," + order("o" + i) + "," + order("x" + copy) + "]");
            }
        }

        // When
        try (InProcessWriter writer = writer(aws.sqs())) {
            awaitEmpty();
        }

        // Then
        assertThat(buckets.measure("orders", "orders"))
                .containsEntry("shop,nl month#2026-11-01T00:00:00Z", new BigDecimal(23));
        assertThat(buckets.measure("orders", "revenue"))
                .containsEntry("shop,nl week#2026-11-16T00:00:00Z", new BigDecimal("230.23"));
    }

    /** Sends clicks, alone and in arrays; what they should add up to, by day bucket. */
    private Map<String, BigDecimal> send(int messages, RandomGenerator random) {
        Map<String, BigDecimal> expected = new HashMap<>();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            List<String> events = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(3); j++) {
                String referrer = "r" + random.nextInt(12);
                events.add(click(referrer, Integer.toString(random.nextInt(1_000))));
                expected.merge(referrer + " day#2026-11-20T00:00:00Z", BigDecimal.ONE, BigDecimal::add);
            }
            bodies.add(events.toString());
        }
        queue.sendAll(bodies);
        return expected;
    }

    /** Receives each message once, as a writer does that is killed then: all become visible again. */
    private void receiveAndLeave(int messages) {
        List<List<Message>> received = new ArrayList<>();
        for (int count = 0; count < messages; count += received.get(received.size() - 1).size()) {
            received.add(aws.sqs().receiveMessage(request -> request.queueUrl(queue.url()).maxNumberOfMessages(10)).join()
                    .messages());
        }
        received.forEach(batch -> aws.sqs().changeMessageVisibilityBatch(request -> request.queueUrl(queue.url())
                .entries(batch.stream().map(message -> ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(message.messageId()).receiptHandle(message.receiptHandle()).visibilityTimeout(0).build())
                        .toList()))
                .join());
    }

    private InProcessWriter writer(SqsAsyncClient sqs) {
        return new InProcessWriter(DATASETS, settings(), sqs, aws.dynamoDb());
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(
                Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue", queues.deadLetterUrl(),
                        "windrow.table", table));
        settings.put("windrow.writer.journal.lease", "2s");
        return settings;
    }

    /** Settings by which each message waits for longer than the shortest visibility timeout here. */
    private static Map<String, String> waitingFourSeconds() {
        return Map.of("windrow.writer.journal.write-every.minute", "4s", "windrow.writer.journal.write-every.hour", "4s",
                "windrow.writer.journal.write-every.day", "4s");
    }

    private Map<String, BigDecimal> days() {
        Map<String, BigDecimal> days = new HashMap<>(buckets.measure("clicks", "events"));
        days.keySet().removeIf(name -> !name.contains(" day#"));
        return days;
    }

    private int hidden() {
        return Integer.parseInt(aws.sqs().getQueueAttributes(request -> request.queueUrl(queues.url())
                .attributeNames(QueueAttributeName.ALL)).join().attributes()
                .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    private void awaitEmpty() {
        await().atMost(PATIENCE).until(() -> queue.size() == 0);
    }

    private static String click(String referrer, String bytes) {
        return "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"" + referrer
                + "\",\"bytes\":" + bytes + "}}";
    }

    private static String order(String id) {
        return "{\"type\":\"order\",\"time\":\"2026-11-20T10:31:32Z\",\"id\":\"" + id
                + "\",\"attributes\":{\"shop\":\"shop\",\"country\":\"nl\",\"amount\":10.01}}";
    }
}
