package dev.windrow.bench.baseline;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** The simplest consumer: one thread, the synchronous SDK, one UpdateItem per event, each after the other. */
public final class SequentialConsumer {

    private static final int BATCH = 10;
    private static final int WAIT_SECONDS = 20;

    private SequentialConsumer() {
    }

    /** @param args SQS endpoint, queue URL, DynamoDB endpoint */
    public static void main(String[] args) throws IOException {
        SqsClient sqs = Settings.blockingSqs(URI.create(args[0]));
        DynamoDbClient dynamoDb = Settings.blockingDynamoDb(URI.create(args[2]));
        Thread loop = new Thread(() -> consume(sqs, args[1], dynamoDb), "consumer");
        loop.setDaemon(true);
        loop.start();
        Tethered.answer(line -> "ready");
    }

    private static void consume(SqsClient sqs, String queueUrl, DynamoDbClient dynamoDb) {
        while (true) {
            List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(queueUrl).maxNumberOfMessages(BATCH)
                    .waitTimeSeconds(WAIT_SECONDS)).messages();
            List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
            for (Message message : messages) {
                PlainEvent.read(message.body()).forEach(event -> dynamoDb.updateItem(event.request(true)));
                entries.add(DeleteMessageBatchRequestEntry.builder().id(Integer.toString(entries.size()))
                        .receiptHandle(message.receiptHandle()).build());
            }
            if (!entries.isEmpty()) {
                sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries));
            }
        }
    }
}
