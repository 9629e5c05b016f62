package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsErrors.AwsErrorException;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.MessageSource.SqsReceiver;
import io.vertx.core.Vertx;

/** Receives from a real queue. */
class SqsReceiverTest {

    private static final Duration WAIT = Duration.ofSeconds(2);
    /** What JSON escapes, what UTF-8 needs one to four bytes for, and what looks like the end. */
    private static final String BODY = "{\"type\":\"click\",\"x\":\"\\\"\\\\ \\u0001 äöü € 😀 \\\"}]}\"}\n\t{}";

    private static LocalAws aws;
    private static Vertx vertx;
    private static AwsJsonClient client;
    private static SourceQueue queue;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        vertx = Vertx.vertx();
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(aws.sqs(), 4);
        queue = queue(aws.queueUrl());
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    @AfterEach
    void empty() {
        new dev.windrow.writer.testing.TestQueue(aws.sqs(), aws.queueUrl()).drain();
    }

    private static SourceQueue queue(String url) {
        return new SourceQueue("test", url, false, Duration.ofSeconds(30), Duration.ofDays(4), null);
    }

    private static SqsReceiver receives() {
        return new SqsReceiver(client, WAIT, Runnable::run);
    }

    @Test
    void aMessageIsReadAsItWasSent() {
        // Given
        Instant before = Instant.now();
        String id = new dev.windrow.writer.testing.TestQueue(aws.sqs(), aws.queueUrl()).send(BODY,
                Map.of("tenant", "acme", "note", "\"ü\""));

        // When
        List<Message> received = receives().receive(queue, 10).await().indefinitely();

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
            assertThat(message.queue()).isSameAs(queue);
        });
    }

    @Test
    void tenMessagesComeAtMost() {
        new dev.windrow.writer.testing.TestQueue(aws.sqs(), aws.queueUrl())
                .sendAll(java.util.stream.IntStream.range(0, 15).mapToObj(i -> "body " + i).toList());
        assertThat(receives().receive(queue, 3).await().indefinitely()).hasSizeBetween(1, 3);
        assertThat(receives().receive(queue, 20).await().indefinitely()).hasSizeBetween(1, 10);
    }

    @Test
    void anEmptyQueueGivesNothing() {
        assertThat(receives().receive(queue, 10).await().indefinitely()).isEmpty();
    }

    @Test
    void aQueueThatDoesNotExistIsAFailureThatSaysSo() {
        SourceQueue missing = queue(aws.queueUrl() + "-missing");
        assertThatThrownBy(() -> receives().receive(missing, 10).await().indefinitely())
                .isInstanceOf(AwsErrorException.class).hasMessageContaining("QueueDoesNotExist");
    }
}
