package dev.windrow.quickstart;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/** The producer's side of a queue on an embedded SQS. */
public final class QueueClient implements AutoCloseable {

    private final SqsClient sqs;
    private final String url;

    private QueueClient(SqsClient sqs, String url) {
        this.sqs = sqs;
        this.url = url;
    }

    public static QueueClient open(URI endpoint, String name) {
        SqsClient sqs = SqsClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClientBuilder(UrlConnectionHttpClient.builder()).build();
        return new QueueClient(sqs, sqs.getQueueUrl(request -> request.queueName(name)).queueUrl());
    }

    /** Sends up to ten messages; their ids, in the same order. */
    public List<String> send(List<String> bodies) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            entries.add(SendMessageBatchRequestEntry.builder().id("m" + entries.size()).messageBody(body).build());
        }
        SendMessageBatchResponse answer = sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
        if (!answer.failed().isEmpty()) {
            throw new IllegalStateException("the queue refused messages: " + answer.failed());
        }
        Map<String, String> ids = answer.successful().stream().collect(Collectors.toMap(
                SendMessageBatchResultEntry::id, SendMessageBatchResultEntry::messageId));
        return entries.stream().map(entry -> ids.get(entry.id())).toList();
    }

    /** How many messages wait or are being worked on. */
    public int depth() {
        Map<QueueAttributeName, String> counts = sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)).attributes();
        return counts.values().stream().mapToInt(Integer::parseInt).sum();
    }

    @Override
    public void close() {
        sqs.close();
    }
}
