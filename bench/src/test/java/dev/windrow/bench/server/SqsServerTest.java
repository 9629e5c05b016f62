package dev.windrow.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class SqsServerTest {

    @Test
    void aMessageIsReceivedOnceAndGoneWhenDeleted() {
        // Given
        Vertx vertx = Vertx.vertx();
        try (SqsServer server = new SqsServer(vertx); SqsClient client = client(server.endpoint())) {
            MemoryQueue queue = server.queue("q");
            queue.send(List.of(QueuedBody.of("{\"text\":\"one\"}"), QueuedBody.of("zwei ä \u0001 \"")));
            String url = client.getQueueUrl(request -> request.queueName("q")).queueUrl();
            // When
            List<Message> received = client.receiveMessage(r -> r.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(1))
                    .messages();
            // Then: hidden while in flight
            assertThat(received).extracting(Message::body).containsExactly("{\"text\":\"one\"}", "zwei ä \u0001 \"");
            assertThat(client.receiveMessage(r -> r.queueUrl(url)).messages()).isEmpty();
            // And gone when deleted; an unknown handle fails alone
            DeleteMessageBatchResponse deleted = client.deleteMessageBatch(r -> r.queueUrl(url).entries(
                    entry("0", received.get(0).receiptHandle()), entry("1", received.get(1).receiptHandle()), entry("2", "x")));
            assertThat(deleted.successful()).hasSize(2);
            assertThat(deleted.failed()).hasSize(1);
            assertThat(queue.deleted()).isEqualTo(2);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void aMessageMadeVisibleAgainIsReceivedAgain() {
        Vertx vertx = Vertx.vertx();
        try (SqsServer server = new SqsServer(vertx); SqsClient client = client(server.endpoint())) {
            MemoryQueue queue = server.queue("q");
            String url = server.url("q");
            queue.send(List.of(QueuedBody.of("again")));
            Message first = client.receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(1)).messages().get(0);
            client.changeMessageVisibilityBatch(r -> r.queueUrl(url)
                    .entries(ChangeMessageVisibilityBatchRequestEntry.builder().id("0")
                            .receiptHandle(first.receiptHandle()).visibilityTimeout(0).build()));
            assertThat(client.receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(1)).messages()).extracting(Message::messageId)
                    .containsExactly(first.messageId());
            assertThat(client.getQueueAttributes(r -> r.queueUrl(url).attributeNames(QueueAttributeName.ALL)).attributes())
                    .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "1");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    /** As a consumer without a backlog waits. */
    @Test
    @Tag("slow")
    void aReceiveThatWaitsTheLongestForNothingIsAnswered() {
        Vertx vertx = Vertx.vertx();
        try (SqsServer server = new SqsServer(vertx); SqsClient client = client(server.endpoint())) {
            server.queue("q");

            assertThat(client.receiveMessage(r -> r.queueUrl(server.url("q")).waitTimeSeconds(20)
                    .overrideConfiguration(o -> o.apiCallAttemptTimeout(Duration.ofSeconds(25)).apiCallTimeout(
                            Duration.ofSeconds(25))))
                    .messages()).isEmpty();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static DeleteMessageBatchRequestEntry entry(String id, String handle) {
        return DeleteMessageBatchRequestEntry.builder().id(id).receiptHandle(handle).build();
    }

    private static SqsClient client(URI endpoint) {
        return SqsClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .httpClientBuilder(AwsCrtHttpClient.builder()).build();
    }
}
