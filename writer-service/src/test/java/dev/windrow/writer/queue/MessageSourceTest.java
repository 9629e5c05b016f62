package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.ErrorCases;
import dev.windrow.local.fault.ErrorCases.ErrorCase;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest.Answer;
import dev.windrow.writer.queue.Acknowledger.SqsBatch;
import dev.windrow.writer.testing.Receives;
import dev.windrow.writer.testing.TestMessages;
import dev.windrow.writer.testing.TestQueue;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Receives from real queues, one of them missing, and deletes. */
class MessageSourceTest {

    /** Has characters that JSON escapes, characters of one to four bytes in UTF-8, and text that looks like the end. */
    private static final String BODY = "{\"type\":\"click\",\"x\":\"\\\"\\\\ \\u0001 äöü € 😀 \\\"}]}\"}\n\t{}";
    private static final Duration ERROR_BACKOFF = Duration.ofMillis(10);

    private static LocalAws aws;
    private static Vertx vertx;
    private static AwsJsonClient client;
    private static SqsReceiver receiver;
    private static int queues;

    private final Receives ends = new Receives();
    private String url;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        vertx = Vertx.vertx();
        client = client(aws.sqs());
        receiver = new SqsReceiver(client, Duration.ZERO, Runnable::run);
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @BeforeEach
    void createQueue() {
        url = aws.createQueue(QueueSpec.named("source-" + queues++)).url();
    }

    @Test
    void saysForEachQueueHowItsReceivesEnd() {
        // Given
        SourceQueue queue = TestMessages.queueAt(url);
        SourceQueue missing = TestMessages.queueAt(url + "-missing");
        new TestQueue(aws.sqs(), url).send("body");

        // When
        MessageSource source = start(() -> true, queue, missing);

        // Then
        await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(ends.received).contains(queue.url() + " 1");
            assertThat(ends.failed).contains(missing.url() + " " + Reason.UNAVAILABLE.word());
        });
        source.stop();
        assertThat(ends.starts).hasValueGreaterThanOrEqualTo(2);
        assertThat(ends.received).allMatch(end -> end.startsWith(queue.url() + " "));
        assertThat(ends.failed).containsOnly(missing.url() + " " + Reason.UNAVAILABLE.word());
    }

    /** Receiving without a lane would hide messages from the writers that have one. */
    @Test
    void receivesNothingUntilItMay() {
        // Given
        SourceQueue queue = TestMessages.queueAt(url);
        AtomicBoolean lane = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        new TestQueue(aws.sqs(), url).send("body");

        // When
        MessageSource source = start(() -> {
            asked.incrementAndGet();
            return lane.get();
        }, queue);

        // Then
        await().atMost(Patience.LIMIT).until(() -> asked.get() >= 3);
        assertThat(ends.starts).hasValue(0);
        assertThat(ends.passed).hasValueGreaterThanOrEqualTo(2);
        lane.set(true);
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(ends.received).contains(queue.url() + " 1"));
        source.stop();
    }

    /** The lane may be lost while a poll waits to be admitted. */
    @Test
    void asksAgainWhenItIsItsTurn() {
        AtomicInteger asked = new AtomicInteger();

        MessageSource source = start(() -> asked.getAndIncrement() % 2 == 0, TestMessages.queueAt(url));

        await().atMost(Patience.LIMIT).until(() -> asked.get() >= 6);
        source.stop();
        assertThat(ends.starts).hasValue(0);
    }

    /** A poll may wait long for memory; whoever has paused the writer since counts on it. */
    @Test
    void aPauseHoldsForAPollThatWaitsForItsTurn() {
        AtomicReference<MessageSource> paused = new AtomicReference<>();
        MessageSource source = source(() -> {
            paused.get().pause(true);
            return true;
        });
        paused.set(source);

        source.batches(List.of(TestMessages.queueAt(url))).subscribe().with(batch -> {
        });

        await().atMost(Patience.LIMIT).until(() -> ends.passed.get() >= 2);
        source.stop();
        assertThat(ends.starts).hasValue(0);
    }

    @Test
    void aMessageIsReadAsItWasSent() {
        // Given
        Instant before = Instant.now();
        String id = new TestQueue(aws.sqs(), url).send(BODY, Map.of("tenant", "acme", "note", "\"ü\""));

        // When
        List<Message> received = receives().receive(TestMessages.queueAt(url), 10).await().indefinitely();

        // Then
        assertThat(received).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(id);
            assertThat(message.body().toString()).isEqualTo(BODY);
            assertThat(message.attributes()).isEqualTo(Map.of("tenant", "acme", "note", "\"ü\""));
            assertThat(message.receiveCount()).isEqualTo(1);
            assertThat(message.sent()).isBetween(before.minusSeconds(5), Instant.now().plusSeconds(5));
            assertThat(message.firstReceived()).isAfterOrEqualTo(message.sent());
            assertThat(message.group()).isNull();
            assertThat(message.receipt()).isNotEmpty();
            assertThat(message.queue()).isEqualTo(TestMessages.queueAt(url));
        });
    }

    @Test
    void tenMessagesComeAtMost() {
        new TestQueue(aws.sqs(), url)
                .sendAll(IntStream.range(0, 15).mapToObj(i -> "body " + i).toList());
        assertThat(receives().receive(TestMessages.queueAt(url), 3).await().indefinitely()).hasSizeBetween(1, 3);
        assertThat(receives().receive(TestMessages.queueAt(url), 20).await().indefinitely()).hasSizeBetween(1, 10);
    }

    @Test
    void anEmptyQueueGivesNothing() {
        assertThat(receives().receive(TestMessages.queueAt(url), 10).await().indefinitely()).isEmpty();
    }

    @Test
    void eachMessageIsAnsweredFor() {
        // Given
        TestQueue queue = new TestQueue(aws.sqs(), url);
        queue.sendAll(List.of("a", "b", "c"));
        SourceQueue source = TestMessages.queueAt(url);
        List<Message> messages = new ArrayList<>();
        while (messages.size() < 3) {
            messages.addAll(receives().receive(source, 10).await().indefinitely());
        }
        Message first = messages.get(0);
        Message unknown = new Message(source, first.id(), "no such receipt", first.body(), first.attributes(), first.sent(),
                first.firstReceived(), first.receiveCount(), null);
        messages.add(1, unknown);

        // When
        List<Answer> answers = new SqsBatch(client, Patience.LIMIT, null).send(source, messages).await()
                .indefinitely();

        // Then
        assertThat(answers).hasSize(4);
        assertThat(answers.get(1)).as("a receipt that the queue does not know").isNotEqualTo(Answer.DONE);
        answers.remove(1);
        assertThat(answers).containsOnly(Answer.DONE);
        assertThat(queue.size()).isZero();
    }

    private MessageSource start(BooleanSupplier may, SourceQueue... from) {
        MessageSource source = source(may);
        source.batches(List.of(from)).subscribe().with(batch -> {
        });
        return source;
    }

    private MessageSource source(BooleanSupplier may) {
        return new MessageSource(receiver, new InFlightLimiter(100, 1_000_000, () -> 0), 1, ERROR_BACKOFF, ends, may);
    }

    private static SqsReceiver receives() {
        return new SqsReceiver(client, Duration.ofSeconds(2), Runnable::run);
    }

    static List<ErrorCase> errors() {
        return ErrorCases.sqs();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorHasTheReasonOfTheContract(ErrorCase error) {
        try (FaultProxy proxy = FaultProxy.start(aws.sqsEndpoint(), FaultPlan.always(error.fault()));
                SqsAsyncClient sdk = TestClients.sqs(proxy.endpoint())) {
            BatchedRequest deletion = new SqsBatch(client(sdk), error.requestTimeout(), null);

            Throwable failure = catchThrowable(() -> deletion
                    .send(TestMessages.queue("q"), List.of(TestMessages.message("{}", Map.of(), Instant.EPOCH))).await()
                    .atMost(Patience.LIMIT));

            assertThat(failure).isNotNull();
            assertThat(AwsErrors.reason(failure)).isEqualTo(error.reason());
        }
    }

    private static AwsJsonClient client(SqsAsyncClient sqs) {
        return new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(sqs, 4);
    }
}
