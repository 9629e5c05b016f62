package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.SqsFaults;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.TestQueue;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** Whole writers, beside one another, on queues that deliver again and again. */
class DeliveryTest {

    private static final List<String> BUCKETS = List.of("minute#2026-11-20T10:31:00Z", "hour#2026-11-20T10:00:00Z",
            "day#2026-11-20T00:00:00Z");
    private static final Duration SHORT = Duration.ofSeconds(2);

    @AutoClose
    private static LocalAws aws;

    @AutoClose
    private InProcessSite site = new InProcessSite(aws, InProcessSite.spec("").withVisibilityTimeout(Duration.ofSeconds(60)));

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    private void hideOnlyBriefly() {
        site.close();
        site = new InProcessSite(aws, InProcessSite.spec("").withVisibilityTimeout(SHORT));
    }

    @Test
    void countsOnceWhatIsDeliveredTwiceInOneReceiveAndAgainToAnotherWriter() {
        // Given
        hideOnlyBriefly();
        RandomGenerator random = Seeds.random("deliveredTwice");
        Map<String, BigDecimal> expected = send(site.queue, 150, random);

        // When
        double duplicates;
        try (FaultProxy unreliable = FaultProxy.start(aws.sqsEndpoint(), repeatingItself(random));
                SqsAsyncClient sqs = TestClients.sqs(unreliable.endpoint());
                InProcessWriter one = site.writer(sqs);
                InProcessWriter other = site.writer(sqs)) {
            site.awaitEmpty();
            duplicates = one.counter("windrow.writer.duplicates.dropped") + other.counter("windrow.writer.duplicates.dropped");
        }

        // Then
        assertThat(duplicates).isGreaterThanOrEqualTo(150);
        assertThat(counted()).isEqualTo(expected);
        assertThat(site.deadLetters.size()).isZero();
    }

    /** As after two killed writers. One at a time, with a second for each, would take half an hour. */
    @Tag("slow")
    @Test
    void aBacklogThatWasReceivedTwiceBeforeIsConsumedWithoutASecondForEach() {
        // Given
        Map<String, BigDecimal> expected = send(site.queue, 2_000, Seeds.random("receivedTwice"));
        for (int kill = 0; kill < 2; kill++) {
            receiveAndLeave(2_000);
        }

        // When
        double duplicates;
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
            duplicates = writer.counter("windrow.writer.duplicates.dropped");
        }

        // Then
        assertThat(duplicates).isZero();
        assertThat(counted()).isEqualTo(expected);
        assertThat(site.deadLetters.size()).isZero();
    }

    @Test
    void countsWithTheSmallestSettings() {
        // Given
        Map<String, BigDecimal> expected = send(site.queue, 20, Seeds.random("smallest"));
        site.with("windrow.writer.aggregate.max-age", "PT0.0005S").with("windrow.writer.source.max-bytes", "2M");

        // When
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
        }

        // Then
        assertThat(counted()).isEqualTo(expected);
    }

    @Test
    void losesAndDoublesNothingWhenDrainedUnderLoad() {
        // Given
        RandomGenerator random = Seeds.random("drained");
        Map<String, BigDecimal> expected = send(site.queue, 600, random);
        InProcessWriter first = site.writer();
        await().atMost(Patience.LIMIT).until(() -> !counted().isEmpty());

        // When
        first.drain(Patience.LIMIT);

        // Then
        assertThat(site.queue.hidden()).as("messages that are hidden after the drain").isZero();
        try (InProcessWriter second = site.writer()) {
            site.awaitEmpty();
        }
        first.close();
        assertThat(counted()).isEqualTo(expected);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void returnsAtOnceWhatItCannotWriteInTime(boolean hangs) {
        // Given
        Map<String, BigDecimal> expected = send(site.queue, 50, Seeds.random("handsBack"));
        CompletableFuture<Void> released = new CompletableFuture<>();
        Fault fault = hangs ? new Fault.Hang(released) : DynamoDbFaults.throughputExceeded();
        site.proxy.use(FaultPlan.always(fault).onlyFor("TransactWriteItems"));
        try (InProcessWriter stuck = site.writer()) {
            await().atMost(Patience.LIMIT).until(() -> stuck.counter("windrow.writer.messages.received") >= 50);

            // When
            int left = stuck.drain(Duration.ofSeconds(2));

            // Then
            assertThat(left).isEqualTo(50);
            assertThat(site.queue.hidden()).isZero();
            released.complete(null);
            await().atMost(Patience.LIMIT).until(() -> site.proxy.audit().inFlight() == 0);
            Map<String, Long> requests = site.proxy.audit().requests();
            try (InProcessWriter second = site.writer(InProcessWriter.FLOW, aws.sqs(), aws.dynamoDb())) {
                site.awaitEmpty();
                await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(counted()).isEqualTo(expected));
            }
            assertThat(site.proxy.audit().requests()).as("requests after the drain").isEqualTo(requests);
        }
    }

    @Tag("slow")
    @Test
    void keepsMessagesHiddenLongerThanTheVisibilityTimeoutWhileTheyWait() {
        // Given
        hideOnlyBriefly();
        waitFourSeconds();
        Map<String, BigDecimal> expected = send(site.queue, 30, Seeds.random("keepsHidden"));

        // When
        double duplicates;
        double received;
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
            duplicates = writer.counter("windrow.writer.duplicates.dropped");
            received = writer.counter("windrow.writer.messages.received");
        }

        // Then
        assertThat(received).isEqualTo(30);
        assertThat(duplicates).isZero();
        assertThat(counted()).isEqualTo(expected);
    }

    @Test
    void countsMessagesOfFifoGroups() {
        // Given
        site.close();
        site = new InProcessSite(aws, InProcessSite.spec(".fifo"));
        for (int i = 0; i < 60; i++) {
            int number = i;
            aws.sqs().sendMessage(request -> request.queueUrl(site.queue.url()).messageBody(click("fifo", "1"))
                    .messageGroupId("group-" + number % 3).messageDeduplicationId("id-" + number)).join();
        }

        // When
        try (InProcessWriter writer = site.writer()) {
            site.awaitEmpty();
        }

        // Then
        assertThat(counted()).containsEntry("events fifo day#2026-11-20T00:00:00Z", new BigDecimal(60));
    }

    /** Sends clicks, alone and in arrays; what they should add up to, as {@link #counted} has it. */
    static Map<String, BigDecimal> send(TestQueue queue, int messages, RandomGenerator random) {
        Map<String, BigDecimal> expected = new HashMap<>();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            List<String> events = new ArrayList<>();
            for (int j = 0; j <= random.nextInt(3); j++) {
                String referrer = "r" + random.nextInt(12);
                BigDecimal bytes = BigDecimal.valueOf(random.nextInt(1_000));
                events.add(click(referrer, bytes.toString()));
                for (String bucket : BUCKETS) {
                    String name = " " + referrer + " " + bucket;
                    expected.merge("events" + name, BigDecimal.ONE, BigDecimal::add);
                    expected.merge("bytes" + name, bytes, BigDecimal::add);
                    expected.merge("largest" + name, bytes, BigDecimal::max);
                }
            }
            bodies.add(events.toString());
        }
        queue.sendAll(bodies);
        return expected;
    }

    /** Receives each message once, as a writer does that is killed then: all become visible again. */
    private void receiveAndLeave(int messages) {
        List<List<Message>> received = new ArrayList<>();
        await().atMost(Patience.LIMIT).until(() -> {
            received.add(aws.sqs().receiveMessage(request -> request.queueUrl(site.queue.url()).maxNumberOfMessages(10)).join()
                    .messages());
            return received.stream().mapToInt(List::size).sum() >= messages;
        });
        received.forEach(batch -> aws.sqs().changeMessageVisibilityBatch(request -> request.queueUrl(site.queue.url())
                .entries(batch.stream().map(message -> ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(message.messageId()).receiptHandle(message.receiptHandle()).visibilityTimeout(0).build())
                        .toList()))
                .join());
    }

    /** Lets each message wait for longer than the shortest visibility timeout here. */
    private void waitFourSeconds() {
        List.of("minute", "hour", "day").forEach(each -> site.with("windrow.writer.journal.write-every." + each, "4s"));
    }

    private Map<String, BigDecimal> counted() {
        return counted(site.buckets);
    }

    /** By measure, referrer and bucket. */
    static Map<String, BigDecimal> counted(Buckets buckets) {
        Map<String, BigDecimal> counted = new HashMap<>();
        List.of("events", "bytes", "largest").forEach(measure -> buckets.measure("clicks", measure)
                .forEach((name, value) -> counted.put(measure + " " + name, value)));
        return counted;
    }

    static String click(String referrer, String bytes) {
        return "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\",\"attributes\":{\"referrer\":\"" + referrer
                + "\",\"bytes\":" + bytes + "}}";
    }

    /** Delivers each message twice in one receive, and fails some deletes. */
    static FaultPlan repeatingItself(RandomGenerator random) {
        FaultPlan doubled = FaultPlan.always(new Fault.Reshape("twice", body -> body, DeliveryTest::doubled));
        return doubled.onlyFor("ReceiveMessage").or(SqsFaults.entriesFail(random, 0.3));
    }

    private static ObjectNode doubled(ObjectNode answer) {
        if (answer.path("Messages") instanceof ArrayNode messages) {
            messages.addAll(messages.deepCopy());
        }
        return answer;
    }
}
