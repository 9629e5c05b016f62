package dev.windrow.bench.baseline;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Receives messages in tens, handles them, deletes them; with the asynchronous SDK and a few pollers. What handling means
 * is the argument {@code idle} (nothing), {@code plain} (one UpdateItem per event) or {@code unscattered} (the same, with
 * an index on the event time alone).
 */
public final class Consumer {

    private static final int BATCH = 10;
    private static final int WAIT_SECONDS = 20;

    private final SqsAsyncClient sqs;
    private final String queueUrl;
    private final Handling handling;

    /** What is done with the messages of one receive. */
    @FunctionalInterface
    interface Handling {
        CompletableFuture<?> handle(List<Message> messages);
    }

    private Consumer(SqsAsyncClient sqs, String queueUrl, Handling handling) {
        this.sqs = sqs;
        this.queueUrl = queueUrl;
        this.handling = handling;
    }

    /** @param args idle, plain or unscattered, SQS endpoint, queue URL, DynamoDB endpoint, pollers, concurrent writes */
    public static void main(String[] args) throws IOException {
        int pollers = Integer.parseInt(args[4]);
        DynamoDbAsyncClient dynamoDb = Settings.dynamoDb(URI.create(args[3]), Integer.parseInt(args[5]));
        Handling handling = args[0].equals("idle") ? messages -> CompletableFuture.completedFuture(null)
                : messages -> CompletableFuture.allOf(messages.stream()
                        .flatMap(message -> PlainEvent.read(message.body()).stream())
                        .map(event -> dynamoDb.updateItem(event.request(args[0].equals("plain"))))
                        .toArray(CompletableFuture[]::new));
        Consumer consumer = new Consumer(Settings.sqs(URI.create(args[1]), 4 * pollers), args[2], handling);
        for (int i = 0; i < pollers; i++) {
            consumer.poll();
        }
        Tethered.answer(line -> "ready");
    }

    private void poll() {
        CompletableFuture<?> unused = sqs
                .receiveMessage(request -> request.queueUrl(queueUrl).maxNumberOfMessages(BATCH).waitTimeSeconds(WAIT_SECONDS)
                        .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP,
                                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
                .thenCompose(this::handleAndDelete)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        System.err.println("failed: " + failure);
                    }
                    poll();
                });
    }

    private CompletableFuture<?> handleAndDelete(ReceiveMessageResponse received) {
        List<Message> messages = received.messages();
        if (messages.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<DeleteMessageBatchRequestEntry> entries = messages.stream().map(message -> DeleteMessageBatchRequestEntry
                .builder().id(Integer.toString(messages.indexOf(message))).receiptHandle(message.receiptHandle()).build())
                .toList();
        return handling.handle(messages).thenCompose(
                handled -> sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries)));
    }
}
