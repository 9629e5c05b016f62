package dev.windrow.writer.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.acknowledge.BatchedRequest.Answer;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.source.SdkReceives;
import io.vertx.core.Vertx;

/** Deletes by wire and by the SDK. */
class DeletionTest {

    private static LocalAws aws;
    private static Vertx vertx;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopServers() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        aws.close();
    }

    private static BatchedRequest deletion(String transport) {
        return transport.equals("wire")
                ? new MessageDeletion(new AwsJsonClientFactory(vertx, Runnable::run, Clock.systemUTC()).sqs(aws.sqs(), 2),
                        Duration.ofSeconds(10))
                : new Deletion(aws.sqs());
    }

    @ParameterizedTest
    @ValueSource(strings = { "wire", "sdk" })
    void eachMessageIsAnsweredFor(String transport) {
        // Given
        dev.windrow.writer.testing.TestQueue queue = new dev.windrow.writer.testing.TestQueue(aws.sqs(), aws.queueUrl());
        queue.sendAll(List.of("a", "b", "c"));
        SourceQueue source = new SourceQueue("test", aws.queueUrl(), false, Duration.ofSeconds(30), Duration.ofDays(4), null);
        SdkReceives receives = new SdkReceives(aws.sqs(), Duration.ofSeconds(1));
        List<Message> messages = new ArrayList<>();
        while (messages.size() < 3) {
            messages.addAll(receives.receive(source, 10).await().indefinitely());
        }
        Message first = messages.get(0);
        Message unknown = new Message(source, first.id(), "no such receipt", first.body(), first.attributes(), first.sent(),
                first.firstReceived(), first.receiveCount(), null);
        messages.add(1, unknown);

        // When
        List<Answer> answers = deletion(transport).send(source, messages).await().indefinitely();

        // Then
        assertThat(answers).hasSize(4);
        assertThat(answers.get(1)).as("a receipt that the queue does not know").isNotEqualTo(Answer.DONE);
        answers.remove(1);
        assertThat(answers).containsOnly(Answer.DONE);
        assertThat(queue.size()).isZero();
    }
}
