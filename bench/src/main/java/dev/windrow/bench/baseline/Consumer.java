package dev.windrow.bench.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Receives messages in batches of ten, handles and deletes them, with the asynchronous SDK and a few pollers. The first
 * argument selects the handling: {@code idle} (nothing), {@code plain} (one UpdateItem per event) or {@code window} (one per
 * bucket of a time window).
 */
public final class Consumer {

    /** Messages that a window holds before receiving waits for its end: a third of a queue's limit in flight. */
    private static final int MAX_HELD = 40_000;
    private static final int BATCH = 10;
    private static final int WAIT_SECONDS = 20;

    private final SqsAsyncClient sqs;
    private final String queueUrl;
    /** Handles the bodies of one receive. */
    private final Function<List<String>, CompletableFuture<?>> handling;
    private final boolean receivesOn;
    private final AtomicInteger held = new AtomicInteger();

    private Consumer(SqsAsyncClient sqs, String queueUrl, Function<List<String>, CompletableFuture<?>> handling,
            boolean receivesOn) {
        this.receivesOn = receivesOn;
        this.sqs = sqs;
        this.queueUrl = queueUrl;
        this.handling = handling;
    }

    /** @param args kind, SQS endpoint, queue URL, DynamoDB endpoint, pollers, concurrent writes, granularities, window in ms */
    public static void main(String[] args) throws IOException {
        int pollers = Integer.parseInt(args[4]);
        DynamoDbAsyncClient dynamoDb = Tethered.dynamoDb(URI.create(args[3]), Integer.parseInt(args[5]));
        List<String> granularities = List.of(args[6].split(",", -1));
        boolean window = args[0].equals("window");
        Function<List<String>, CompletableFuture<?>> handling = window
                ? new Window(dynamoDb, granularities, Duration.ofMillis(Long.parseLong(args[7])))::add
                : handling(args[0], granularities, dynamoDb);
        SqsAsyncClient sqs = Tethered.sqs(URI.create(args[1]), (window ? 32 : 4) * pollers);
        Consumer consumer = new Consumer(sqs, args[2], handling, window);
        for (int i = 0; i < pollers; i++) {
            consumer.poll();
        }
        Tethered.answer(line -> "ready");
    }

    private static Function<List<String>, CompletableFuture<?>> handling(String kind, List<String> granularities,
            DynamoDbAsyncClient dynamoDb) {
        return switch (kind) {
            case "idle" -> bodies -> CompletableFuture.completedFuture(null);
            case "plain" -> bodies -> {
                List<CompletableFuture<?>> writes = new ArrayList<>();
                bodies.forEach(body -> Totals.events(body).forEach(
                        event -> writes.add(new Totals(granularities).add(event).write(dynamoDb))));
                return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
            };
            default -> throw new IllegalArgumentException("kind: expected one of those described, found " + kind);
        };
    }

    private void poll() {
        CompletableFuture<?> unused = sqs
                .receiveMessage(request -> request.queueUrl(queueUrl).maxNumberOfMessages(BATCH).waitTimeSeconds(WAIT_SECONDS)
                        .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP,
                                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
                .thenCompose(received -> {
                    int count = received.messages().size();
                    boolean waits = held.addAndGet(count) > MAX_HELD || !receivesOn;
                    CompletableFuture<?> done = handleAndDelete(received).whenComplete((deleted, failure) -> {
                        held.addAndGet(-count);
                        report(failure);
                    });
                    return waits ? done : CompletableFuture.completedFuture(null);
                })
                .whenComplete((done, failure) -> {
                    report(failure);
                    poll();
                });
    }

    private static void report(@Nullable Throwable failure) {
        if (failure != null) {
            System.err.println("failed: " + failure);
        }
    }

    private CompletableFuture<?> handleAndDelete(ReceiveMessageResponse received) {
        List<Message> messages = received.messages();
        if (messages.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<DeleteMessageBatchRequestEntry> entries = messages.stream().map(message -> DeleteMessageBatchRequestEntry
                .builder().id(Integer.toString(messages.indexOf(message))).receiptHandle(message.receiptHandle()).build())
                .toList();
        return handling.apply(messages.stream().map(Message::body).toList()).thenCompose(
                handled -> sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries)));
    }

    /**
     * Sums the events that arrive within a window, writes the sums when it ends, and then deletes the messages. Counts at least
     * once: messages written but not yet deleted count again if the process ends.
     */
    private static final class Window {

        private final DynamoDbAsyncClient dynamoDb;
        private final List<String> granularities;
        private Totals totals;
        private CompletableFuture<Object> written = new CompletableFuture<>();

        Window(DynamoDbAsyncClient dynamoDb, List<String> granularities, Duration length) {
            this.dynamoDb = dynamoDb;
            this.granularities = granularities;
            this.totals = new Totals(granularities);
            Future<?> unused = Executors.newSingleThreadScheduledExecutor().scheduleAtFixedRate(this::end, length.toMillis(),
                    length.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Completes when these messages are in the table. */
        synchronized CompletableFuture<?> add(List<String> bodies) {
            bodies.forEach(totals::add);
            return written;
        }

        private void end() {
            Totals ended;
            CompletableFuture<Object> done;
            synchronized (this) {
                ended = totals;
                done = written;
                totals = new Totals(granularities);
                written = new CompletableFuture<>();
            }
            CompletableFuture<?> unused = ended.write(dynamoDb).whenComplete((all, failure) -> {
                if (failure == null) {
                    done.complete("written");
                } else {
                    done.completeExceptionally(failure);
                }
            });
        }
    }

    /** Sums of events by bucket in the table's own format, written with one UpdateItem per bucket. Not thread-safe. */
    static final class Totals {

        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String UPDATE = "ADD m_events :events, m_bytes :bytes SET ipk = :ipk, isk = :isk";
        private static final Map<String, Duration> GRANULARITIES = Map.of("minute", Duration.ofMinutes(1), "hour",
                Duration.ofHours(1), "day", Duration.ofDays(1));
        private static final int SHARDS = 10;

        private final List<String> granularities;
        private final Map<Bucket, long[]> sums = new HashMap<>();

        private record Bucket(String granularity, long start, String label) {
        }

        Totals(List<String> granularities) {
            this.granularities = granularities;
        }

        /** Adds the events of a message, which is one object or an array of several. */
        Totals add(String body) {
            events(body).forEach(this::add);
            return this;
        }

        static Iterable<JsonNode> events(String body) {
            try {
                JsonNode parsed = JSON.readTree(body);
                return parsed.isArray() ? parsed : List.of(parsed);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        Totals add(JsonNode event) {
            JsonNode attributes = event.path("attributes");
            long time = Instant.parse(event.path("time").asText()).toEpochMilli();
            for (String granularity : granularities) {
                long millis = Objects.requireNonNull(GRANULARITIES.get(granularity)).toMillis();
                long[] sum = sums.computeIfAbsent(new Bucket(granularity, time - time % millis,
                        attributes.path("referrer").asText()), bucket -> new long[2]);
                sum[0]++;
                sum[1] += attributes.path("bytes").asLong();
            }
            return this;
        }

        CompletableFuture<?> write(DynamoDbAsyncClient dynamoDb) {
            return CompletableFuture.allOf(sums.entrySet().stream().map(sum -> dynamoDb.updateItem(request(sum.getKey(),
                    sum.getValue()))).toArray(CompletableFuture[]::new));
        }

        private UpdateItemRequest request(Bucket bucket, long[] sum) {
            Instant start = Instant.ofEpochMilli(bucket.start());
            String indexSort = start + "#" + bucket.label() + "#0";
            int shard = Math.floorMod(indexSort.hashCode(), SHARDS);
            return UpdateItemRequest.builder().tableName("windrow")
                    .key(Map.of("pk", AttributeValue.fromS("default#clicks#" + bucket.label() + "#0"), "sk",
                            AttributeValue.fromS(bucket.granularity() + "#" + start)))
                    .updateExpression(UPDATE)
                    .expressionAttributeValues(Map.of(":events", AttributeValue.fromN(Long.toString(sum[0])), ":bytes",
                            AttributeValue.fromN(Long.toString(sum[1])), ":ipk",
                            AttributeValue.fromS("default#clicks#" + bucket.granularity() + "#" + shard), ":isk",
                            AttributeValue.fromS(indexSort)))
                    .build();
        }
    }
}
