package dev.windrow.writer.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.windrow.table.AwsLimits;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A queue as producers and operators use it. */
public final class TestQueue {

    /** All bodies of a batch together, in SQS of old and in ElasticMQ. */
    private static final int BATCH_BYTES = 256 * 1_024;

    private final SqsAsyncClient sqs;
    private final String url;

    public TestQueue(SqsAsyncClient sqs, String url) {
        this.sqs = sqs;
        this.url = url;
    }

    public String url() {
        return url;
    }

    /** @return the message's id */
    public String send(String body) {
        return send(body, Map.of());
    }

    /** @return the message's id */
    public String send(String body, Map<String, String> attributes) {
        Map<String, MessageAttributeValue> values = new HashMap<>();
        attributes.forEach((name, value) -> values.put(name,
                MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
        return sqs.sendMessage(request -> request.queueUrl(url).messageBody(body).messageAttributes(values)).join()
                .messageId();
    }

    /** Sends all, as many to a request as it takes. */
    public void sendAll(List<String> bodies) {
        List<SendMessageBatchRequestEntry> batch = new ArrayList<>();
        int bytes = 0;
        for (String body : bodies) {
            int size = body.getBytes(StandardCharsets.UTF_8).length;
            if (batch.size() == AwsLimits.QUEUE_BATCH || bytes + size > BATCH_BYTES) {
                sendBatch(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(SendMessageBatchRequestEntry.builder().id("e" + batch.size()).messageBody(body).build());
            bytes += size;
        }
        sendBatch(batch);
    }

    private void sendBatch(List<SendMessageBatchRequestEntry> batch) {
        if (!batch.isEmpty()) {
            sqs.sendMessageBatch(request -> request.queueUrl(url).entries(batch)).join();
        }
    }

    /** Receives and deletes what is visible. */
    public List<Message> drain() {
        List<Message> all = new ArrayList<>();
        drain(all::add);
        return all;
    }

    /** Receives and deletes what is visible, and gives each message away at once. */
    public void drain(Consumer<Message> taker) {
        List<Message> some;
        do {
            some = sqs.receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(0)
                    .messageAttributeNames("All").messageSystemAttributeNamesWithStrings("All")).join().messages();
            some.forEach(message -> sqs.deleteMessage(
                    request -> request.queueUrl(url).receiptHandle(message.receiptHandle())).join());
            some.forEach(taker);
        } while (!some.isEmpty());
    }

    /** Receives every message of the queue a number of times, and leaves them visible. */
    public void receiveAll(int times, int messages) {
        for (int round = 0; round < times; round++) {
            Map<String, String> receipts = new HashMap<>();
            while (receipts.size() < messages) {
                sqs.receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(AwsLimits.QUEUE_BATCH)).join()
                        .messages()
                        .forEach(message -> receipts.put(message.messageId(), message.receiptHandle()));
            }
            receipts.values().forEach(receipt -> sqs.changeMessageVisibility(
                    change -> change.queueUrl(url).receiptHandle(receipt).visibilityTimeout(0)).join());
        }
    }

    public static Map<String, String> attributes(Message message) {
        Map<String, String> attributes = new HashMap<>();
        message.messageAttributes().forEach((name, value) -> attributes.put(name, value.stringValue()));
        return attributes;
    }

    /** Messages that are not deleted, counted at once: one that changes between two requests would be in neither answer. */
    public int size() {
        return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
    }

    public int visible() {
        return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
    }

    /** Messages that were received, and not yet deleted or shown again. */
    public int hidden() {
        return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    }

    private int count(QueueAttributeName... names) {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(names)).join().attributes().values()
                .stream().mapToInt(Integer::parseInt).sum();
    }
}
