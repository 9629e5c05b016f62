package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest.Answer;
import dev.windrow.writer.queue.Acknowledger.SqsBatch;
import dev.windrow.writer.queue.MessageSource.SqsReceiver;
import io.vertx.core.Vertx;

/** Deletes from a real queue. */
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

    @Test
    void eachMessageIsAnsweredFor() {
        // Given
        dev.windrow.writer.testing.TestQueue queue = new dev.windrow.writer.testing.TestQueue(aws.sqs(), aws.queueUrl());
        queue.sendAll(List.of("a", "b", "c"));
        SourceQueue source = new SourceQueue("test", aws.queueUrl(), false, Duration.ofSeconds(30), Duration.ofDays(4), null);
        AwsJsonClient client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(
                aws.sqs(),
                2);
        SqsReceiver receives = new SqsReceiver(client, Duration.ofSeconds(1), Runnable::run);
        List<Message> messages = new ArrayList<>();
        while (messages.size() < 3) {
            messages.addAll(receives.receive(source, 10).await().indefinitely());
        }
        Message first = messages.get(0);
        Message unknown = new Message(source, first.id(), "no such receipt", first.body(), first.attributes(), first.sent(),
                first.firstReceived(), first.receiveCount(), null);
        messages.add(1, unknown);

        // When
        List<Answer> answers = SqsBatch.delete(client, Patience.LIMIT).send(source, messages).await()
                .indefinitely();

        // Then
        assertThat(answers).hasSize(4);
        assertThat(answers.get(1)).as("a receipt that the queue does not know").isNotEqualTo(Answer.DONE);
        answers.remove(1);
        assertThat(answers).containsOnly(Answer.DONE);
        assertThat(queue.size()).isZero();
    }
}
