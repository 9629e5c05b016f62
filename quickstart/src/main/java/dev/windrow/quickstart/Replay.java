package dev.windrow.quickstart;

import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Posts events to the queue on an embedded SQS, prints progress, and waits until they are counted. */
final class Replay implements AutoCloseable {

    /** Ignores posted messages, for callers that do not look them up later. */
    static final BiConsumer<String, EventMessage> NOBODY = (id, message) -> {
    };

    /** Maximum messages in one request to SQS. */
    private static final int BATCH = 10;
    private static final int BATCH_BYTES = 256 * 1_024;
    private static final int EVENTS_BETWEEN_LINES = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(200);

    private final SqsClient sqs;
    private final String url;
    private final PrintStream out;

    /** @param endpoint endpoint of SQS */
    Replay(URI endpoint, PrintStream out) {
        this.sqs = SqsClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .httpClientBuilder(UrlConnectionHttpClient.builder()).build();
        this.url = sqs.getQueueUrl(request -> request.queueName("windrow-events")).queueUrl();
        this.out = out;
    }

    /**
     * Posts all messages and prints how many events were sent.
     *
     * @param posted takes each message with the id that the queue gave it
     * @return number of events sent
     */
    long send(Iterator<EventMessage> messages, BiConsumer<String, EventMessage> posted) {
        List<EventMessage> batch = new ArrayList<>();
        int bytes = 0;
        long sent = 0;
        long printed = 0;
        while (messages.hasNext()) {
            EventMessage message = messages.next();
            int more = message.body().getBytes(StandardCharsets.UTF_8).length;
            if (batch.size() == BATCH || (!batch.isEmpty() && bytes + more > BATCH_BYTES)) {
                post(batch, posted);
                batch.clear();
                bytes = 0;
                if (sent - printed >= EVENTS_BETWEEN_LINES) {
                    printed = print(sent);
                }
            }
            batch.add(message);
            bytes += more;
            sent += message.events();
        }
        if (!batch.isEmpty()) {
            post(batch, posted);
            print(sent);
        }
        return sent;
    }

    private long print(long sent) {
        out.printf("  %,d events sent, %,d messages in the queue%n", sent, depth());
        return sent;
    }

    /** Posts up to ten messages. */
    private void post(List<EventMessage> batch, BiConsumer<String, EventMessage> posted) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (EventMessage message : batch) {
            String index = Integer.toString(entries.size());
            entries.add(SendMessageBatchRequestEntry.builder().id(index).messageBody(message.body()).build());
        }
        SendMessageBatchResponse answer = sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
        if (!answer.failed().isEmpty()) {
            throw new IllegalStateException("the queue refused messages: " + answer.failed());
        }
        answer.successful().forEach(sent -> posted.accept(sent.messageId(), batch.get(Integer.parseInt(sent.id()))));
    }

    /** Posts a few messages without printing. */
    void post(Iterator<EventMessage> messages) {
        messages.forEachRemaining(message -> post(List.of(message), NOBODY));
    }

    /** Returns the number of messages that are waiting or in flight. */
    private int depth() {
        return sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)).attributes().values().stream()
                .mapToInt(Integer::parseInt).sum();
    }

    /**
     * Waits until the queue is empty, which means that the writer has claimed and deleted every message.
     *
     * @throws IllegalStateException if the number of messages has not fallen for five minutes
     */
    void awaitClaimed() throws InterruptedException {
        for (int left = depth(); left > 0; left = depth()) {
            int before = left;
            await(() -> depth() < before, () -> "the writer has not emptied the queue; " + before + " messages are left");
        }
    }

    /**
     * Waits until the sent events are in the buckets: claimed messages are added to them a little later, and {@code asOf}
     * says up to when that is done.
     *
     * @param granularities granularities of the buckets to wait for
     * @throws IllegalStateException after five minutes each, for the queue and for every granularity
     */
    void awaitCounted(ServiceClient gather, String dataset, Collection<String> granularities) throws InterruptedException {
        awaitClaimed();
        Instant claimed = Instant.now();
        for (String granularity : granularities) {
            await(() -> gather.asOf(dataset, granularity).isAfter(claimed),
                    () -> "the buckets of " + granularity + " lack events sent before " + claimed);
        }
    }

    private static void await(BooleanSupplier condition, Supplier<String> problem) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("after " + LIMIT.toMinutes() + " minutes " + problem.get());
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    @Override
    public void close() {
        sqs.close();
    }

}
