package dev.windrow.writer.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A queue as producers and operators use it. */
public final class TestQueue {

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

    /** Sends all, ten at a time. */
    public void sendAll(List<String> bodies) {
        for (int from = 0; from < bodies.size(); from += 10) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int i = from; i < Math.min(from + 10, bodies.size()); i++) {
                entries.add(SendMessageBatchRequestEntry.builder().id("e" + i).messageBody(bodies.get(i)).build());
            }
            sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries)).join();
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

    /** Messages that are not deleted, whether hidden or not. */
    public int size() {
        Map<QueueAttributeName, String> attributes = attributes();
        return Integer.parseInt(attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)) + hidden(attributes)
                + Integer.parseInt(attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
    }

    /** Messages that somebody has received and neither deleted nor given back. */
    public int hidden() {
        return hidden(attributes());
    }

    private static int hidden(Map<QueueAttributeName, String> attributes) {
        return Integer.parseInt(attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    private Map<QueueAttributeName, String> attributes() {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL)).join()
                .attributes();
    }
}
