package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.queue.DeadLetterOperations.Letter;
import dev.windrow.writer.queue.DeadLetterOperations.ReplayResult;
import dev.windrow.writer.testing.TestQueue;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

class DeadLetterOperationsTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final Duration RETENTION = Duration.ofDays(15);

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    private static int queues;

    private TestQueue queue;
    private TestQueue letters;

    @BeforeEach
    void createQueues() {
        ProvisionedQueues urls = aws.createQueue(QueueSpec.named("dead-" + queues++));
        queue = new TestQueue(aws.sqs(), urls.url());
        letters = new TestQueue(aws.sqs(), urls.deadLetterUrl());
    }

    @Test
    void receivesNoMoreLettersBeforeThoseBeforeAreTaken() {
        // Given
        fill(35);
        List<Integer> batches = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> taken = new CompletableFuture<>();

        // When nobody takes the first ones
        CompletableFuture<Void> listed = at(Instant.now()).list(100, batch -> {
            batches.add(batch.size());
            return Uni.createFrom().completionStage(taken);
        }).subscribeAsCompletionStage();

        // Then there are no others
        await().atMost(PATIENCE).until(() -> !batches.isEmpty());
        await().during(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> batches.size() == 1 && batches.get(0) <= 10);
        taken.complete(null);
        listed.join();
        assertThat(batches).allMatch(size -> size <= 10);
        assertThat(batches.stream().mapToInt(size -> size).sum()).isEqualTo(35);
    }

    @Test
    void showsLettersAgainWhenWhoeverListsThemGoesAway() {
        // Given
        fill(15);

        // When
        assertThatThrownBy(() -> at(Instant.now()).list(100, batch -> Uni.createFrom().failure(
                new IllegalStateException("gone"))).await().atMost(PATIENCE)).hasMessage("gone");

        // Then
        List<String> bodies = new ArrayList<>();
        at(Instant.now()).list(100, batch -> {
            batch.stream().map(Letter::body).forEach(bodies::add);
            return Uni.createFrom().voidItem();
        }).await().atMost(PATIENCE);
        assertThat(new HashSet<>(bodies)).hasSize(15);
    }

    @Test
    void leavesWhatMayBeForgottenByTheFirstSentTime() {
        // Given
        Instant now = Instant.now();
        letters.send("known", Map.of("source-sent", Long.toString(now.minus(RETENTION).plusSeconds(60).toEpochMilli())));
        letters.send("forgotten", Map.of("source-sent", Long.toString(now.minus(RETENTION).minusSeconds(60).toEpochMilli())));

        // When
        ReplayResult replay = at(now).replay(queue.url(), 10, false).await().atMost(PATIENCE);

        // Then
        assertThat(replay.sentCount()).isEqualTo(1);
        assertThat(replay.leftLetters()).singleElement().satisfies(left -> {
            assertThat(left.reason()).isEqualTo(Reason.CLAIM_EXPIRED);
            assertThat(left.detail()).contains("15d");
        });
        assertThat(queue.drain()).singleElement().satisfies(message -> assertThat(message.body()).isEqualTo("known"));
        assertThat(letters.drain()).as("shown again at once").hasSize(1);
    }

    /** Its sent time is the one when SQS moved it, not the one by which it was counted. */
    @Test
    void leavesWhatSqsMovedInAFifoQueueUnlessForced() {
        // Given
        ProvisionedQueues urls = aws.createQueue(QueueSpec.named("dead-" + queues++ + ".fifo"));
        queue = new TestQueue(aws.sqs(), urls.url());
        letters = new TestQueue(aws.sqs(), urls.deadLetterUrl());
        Instant now = Instant.now();
        sendFifo("moved by SQS", Map.of());
        sendFifo("sent by the writer", Map.of("source-sent", text(Long.toString(now.toEpochMilli())), "source-message-id",
                text("original")));

        // When
        ReplayResult replay = at(now).replay(queue.url(), 10, false).await().atMost(PATIENCE);

        // Then
        assertThat(replay.sentCount()).isEqualTo(1);
        assertThat(replay.leftLetters()).singleElement().satisfies(left -> {
            assertThat(left.reason()).isEqualTo(Reason.MISSING_FIELD);
            assertThat(left.detail()).startsWith("source-sent: ").contains("force=true");
        });
        assertThat(queue.drain()).singleElement()
                .satisfies(message -> assertThat(message.body()).isEqualTo("sent by the writer"));

        // When
        ReplayResult forced = at(now).replay(queue.url(), 10, true).await().atMost(PATIENCE);

        // Then
        assertThat(forced.sentCount()).isEqualTo(1);
        assertThat(queue.drain()).singleElement().satisfies(message -> assertThat(message.body()).isEqualTo("moved by SQS"));
    }

    /** Each is in a message group of its own, as one that stays holds up its group. */
    private void sendFifo(String body, Map<String, MessageAttributeValue> attributes) {
        aws.sqs().sendMessage(request -> request.queueUrl(letters.url()).messageBody(body).messageAttributes(attributes)
                .messageGroupId(body.replace(' ', '-')).messageDeduplicationId(body.replace(' ', '-'))).join();
    }

    private static MessageAttributeValue text(String value) {
        return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            letters.send("letter " + i);
        }
    }

    private DeadLetterOperations at(Instant now) {
        return new DeadLetterOperations(aws.sqs(), letters.url(), RETENTION, Clock.fixed(now, ZoneOffset.UTC));
    }
}
