package dev.windrow.e2e;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Sends generated clicks and knows what they must add up to. */
final class Clicks implements AutoCloseable {

    private static final int LABELS = 7;
    private static final int BATCH = 10;
    private static final int EVENTS_PER_MESSAGE = 20;
    private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");
    private static final int SECONDS = 1_800;

    private final Random random;
    private final SqsClient sqs;
    private final String queue;
    private final Map<String, Sum> expected = new TreeMap<>();

    /**
     * What one label adds up to.
     *
     * @param bytes of all events
     */
    record Sum(long events, long bytes) {

        Sum plus(Sum other) {
            return new Sum(events + other.events, bytes + other.bytes);
        }
    }

    Clicks(URI endpoint, long seed) {
        random = new Random(seed);
        sqs = SqsClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .build();
        queue = sqs.getQueueUrl(request -> request.queueName("windrow-events")).queueUrl();
    }

    /** Sends batches of messages, each message a list of events. */
    void send(int batches) {
        for (int batch = 0; batch < batches; batch++) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int message = 0; message < BATCH; message++) {
                entries.add(SendMessageBatchRequestEntry.builder().id("m" + message).messageBody(body()).build());
            }
            SendMessageBatchResponse sent = sqs.sendMessageBatch(request -> request.queueUrl(queue).entries(entries));
            if (!sent.failed().isEmpty()) {
                throw new IllegalStateException("not sent: " + sent.failed());
            }
        }
    }

    Map<String, Sum> expected() {
        return Map.copyOf(expected);
    }

    /** Messages that wait, and those that a writer holds. */
    int unfinished() {
        Map<QueueAttributeName, String> now = sqs.getQueueAttributes(request -> request.queueUrl(queue)
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes();
        return now.values().stream().mapToInt(Integer::parseInt).sum();
    }

    private String body() {
        List<String> events = new ArrayList<>();
        for (int event = 0; event < EVENTS_PER_MESSAGE; event++) {
            String label = "https://site-" + random.nextInt(LABELS) + ".example/";
            int bytes = random.nextInt(100_000);
            events.add("{\"type\":\"click\",\"time\":\"%s\",\"attributes\":{\"referrer\":\"%s\",\"bytes\":%d}}"
                    .formatted(START.plusSeconds(random.nextInt(SECONDS)), label, bytes));
            expected.merge(label, new Sum(1, bytes), Sum::plus);
        }
        return "[" + String.join(",", events) + "]";
    }

    @Override
    public void close() {
        sqs.close();
    }
}
