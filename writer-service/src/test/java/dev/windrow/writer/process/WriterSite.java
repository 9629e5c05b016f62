package dev.windrow.writer.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.table.TableSchema;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.testing.Items;
import dev.windrow.writer.testing.TestQueue;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A table and a queue of its own for one test, and the writers between them. */
final class WriterSite implements AutoCloseable {

    /** Short, so that what a dead writer held comes back soon. */
    static final Duration VISIBILITY = Duration.ofSeconds(5);

    /** Far more than any step takes: a busy machine must not fail a test. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private static final Duration POLL = Duration.ofMillis(100);
    /** Receives of one message may be many here, and none of them is its fault. */
    private static final int MANY_RECEIVES = 1_000;
    /** All bodies of a batch together, in SQS of old and in ElasticMQ. */
    private static final int BATCH_BYTES = 256 * 1_024;
    private static final Path FOLDER = Path.of("target", "process-tests");
    private static final QueueAttributeName VISIBLE = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
    private static final QueueAttributeName HIDDEN = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;

    private final LocalAws aws;
    private final String table;
    private final ProvisionedQueues queues;
    private final WriterOptions options;
    private final List<WriterSlot> slots = new ArrayList<>();
    private final Queue<CompletableFuture<?>> changes = new ConcurrentLinkedQueue<>();

    private WriterSite(LocalAws aws, String name, Duration visibility, String datasets) {
        this.aws = aws;
        this.table = "windrow-" + name;
        aws.createTable(TableSpec.named(table).withRanks(DatasetsYaml.parse(name, datasets).rankedMeasures()));
        QueueSpec queue = QueueSpec.named("events-" + name).withVisibilityTimeout(visibility)
                .withMaxReceiveCount(MANY_RECEIVES);
        this.queues = aws.createQueue(queue);
        this.options = options(name, queue, datasets);
    }

    /**
     * Creates table and queue.
     *
     * @param name unique among the tests that share servers
     * @param visibility how long a received message is hidden
     */
    static WriterSite open(LocalAws aws, String name, Duration visibility) {
        return open(aws, name, visibility, Traffic.DATASETS);
    }

    /** The same with other datasets. */
    static WriterSite open(LocalAws aws, String name, Duration visibility, String datasets) {
        return new WriterSite(aws, name, visibility, datasets);
    }

    private WriterOptions options(String name, QueueSpec queue, String datasets) {
        WriterOptions common = WriterOptions.named(name).with("windrow.datasets-file", datasets(name, datasets))
                .with("windrow.table", table).with("windrow.writer.queue", queue.name())
                .with("windrow.writer.dead-letter-queue", queue.deadLetterName())
                .with("quarkus.http.host", "127.0.0.1").with("quarkus.http.port", 0)
                .with("quarkus.management.host", "127.0.0.1").with("quarkus.management.port", 0)
                .with("quarkus.log.console.json.enabled", false).with("windrow.writer.aggregate.max-age", "200ms")
                .with("windrow.writer.source.max-receive-count", MANY_RECEIVES)
                .with("windrow.writer.journal.lease", "3s");
        for (String client : List.of("dynamodb", "sqs")) {
            String credentials = "quarkus." + client + ".aws.credentials.";
            common = common.with("quarkus." + client + ".aws.region", "eu-central-1")
                    .with(credentials + "type", "static")
                    .with(credentials + "static-provider.access-key-id", "windrow")
                    .with(credentials + "static-provider.secret-access-key", "local");
        }
        return common;
    }

    private static Path datasets(String name, String datasets) {
        try {
            Files.createDirectories(FOLDER);
            return Files.writeString(FOLDER.resolve(name + ".yaml"), datasets).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The settings of its writers, but for their proxies. */
    WriterOptions options() {
        return options;
    }

    /** A place for one more writer; no process yet. */
    WriterSlot slot() {
        WriterSlot slot = new WriterSlot(aws, options.withName(options.name() + "-" + slots.size()));
        slots.add(slot);
        return slot;
    }

    /** Puts messages into the queue, as many to a request as it takes. */
    void send(List<String> bodies) {
        List<SendMessageBatchRequestEntry> batch = new ArrayList<>();
        int bytes = 0;
        for (String body : bodies) {
            int size = body.getBytes(StandardCharsets.UTF_8).length;
            if (batch.size() == AwsLimits.QUEUE_BATCH || bytes + size > BATCH_BYTES) {
                sendBatch(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(SendMessageBatchRequestEntry.builder().id(Integer.toString(batch.size())).messageBody(body).build());
            bytes += size;
        }
        sendBatch(batch);
    }

    private void sendBatch(List<SendMessageBatchRequestEntry> batch) {
        if (!batch.isEmpty()) {
            aws.sqs().sendMessageBatch(send -> send.queueUrl(queues.url()).entries(batch)).join();
        }
    }

    /** Puts one message with attributes into the queue. */
    void send(String body, Map<String, String> attributes) {
        new TestQueue(aws.sqs(), queues.url()).send(body, attributes);
    }

    /** Takes all dead letters, and notes the reason of each under the message and the event that it was. */
    void takeDeadLetters(Map<String, String> reasons) {
        drainDeadLetters(letter -> {
            Map<String, MessageAttributeValue> attributes = letter.messageAttributes();
            String id = attribute(attributes, "source-message-id") + " " + attribute(attributes, "source-event");
            reasons.put(id, attribute(attributes, "reason"));
        });
    }

    /** Takes all dead letters. */
    void drainDeadLetters(Consumer<Message> taker) {
        new TestQueue(aws.sqs(), queues.deadLetterUrl()).drain(taker);
    }

    private static String attribute(Map<String, MessageAttributeValue> attributes, String name) {
        MessageAttributeValue value = attributes.get(name);
        return value == null ? "none" : value.stringValue();
    }

    /**
     * Shows a received message again, as if its visibility timeout had passed. Does not wait: should it fail, that timeout
     * will show it.
     */
    void redeliver(String receiptHandle) {
        changes.add(aws.sqs().changeMessageVisibility(
                change -> change.queueUrl(queues.url()).receiptHandle(receiptHandle).visibilityTimeout(0)));
    }

    /** Waits until no message is left, neither visible nor received, and everything claimed is applied. */
    void awaitDrained() {
        awaitDrained(LIMIT);
    }

    /** The same, for more work than usual. */
    void awaitDrained(Duration limit) {
        await("an empty queue: " + options.name()).atMost(limit).pollInterval(POLL)
                .until(() -> left() == 0 && StoredLanes.areApplied(aws.dynamoDb(), table));
    }

    /** Messages that may be received. */
    int visible() {
        return count(queues.url(), VISIBLE);
    }

    /** Messages that were received, and not yet deleted or shown again. */
    int hidden() {
        return count(queues.url(), HIDDEN);
    }

    /** All of them, counted at once: those that are shown again between two requests would be in neither answer. */
    int left() {
        return count(queues.url(), VISIBLE, HIDDEN);
    }

    /** Messages in the dead-letter queue. */
    int deadLetters() {
        return count(queues.deadLetterUrl(), VISIBLE, HIDDEN);
    }

    /** What the table holds. */
    SortedMap<Bucket, Measures> stored() {
        return StoredBuckets.read(aws.dynamoDb(), table);
    }

    /** What the leaderboards of one granularity by a measure hold. */
    SortedMap<Bucket, BigDecimal> leaderboards(String granularity, String measure) {
        return StoredBuckets.leaderboards(aws.dynamoDb(), table, granularity, measure);
    }

    /** How many items the table holds. */
    StoredItems items() {
        return StoredItems.of(aws.dynamoDb(), table);
    }

    /** The keys of all its items, those of the journal too. */
    List<String> keys() {
        return new Items(aws.dynamoDb(), table).all().stream()
                .map(item -> item.get(TableSchema.PK).s() + " " + item.get(TableSchema.SK).s()).toList();
    }

    private int count(String url, QueueAttributeName... attributes) {
        return aws.sqs().getQueueAttributes(get -> get.queueUrl(url).attributeNames(attributes)).join().attributes().values()
                .stream().mapToInt(Integer::parseInt).sum();
    }

    @Override
    public void close() {
        slots.forEach(WriterSlot::close);
        CompletableFuture.allOf(changes.toArray(CompletableFuture[]::new)).handle((done, stale) -> done).join();
    }
}
