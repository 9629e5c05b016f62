package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableSpec;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.testing.TestQueue;

/** A table and a queue of its own for one test, and the writers between them. */
final class WriterSite implements AutoCloseable {

    /** Short, so that a dead writer's messages come back soon. */
    static final Duration VISIBILITY = Duration.ofSeconds(5);

    /** Far more than any step takes: a busy machine must not fail a test. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MORE_EVENTS = 50;
    private static final Duration MORE_EVENTS_EVERY = Duration.ofSeconds(1);
    /** Receives of one message may be many here, and none of them is its fault. */
    private static final int MANY_RECEIVES = 1_000;
    private static final Path FOLDER = Path.of("target", "process-tests");

    final TestQueue queue;
    final TestQueue deadLetters;
    final StoredTable table;
    /** By the site's name, as all else that the test decides by chance. */
    final Random random;
    final Traffic traffic;

    private final LocalAws aws;
    private final WriterOptions options;
    private final List<WriterSlot> slots = new ArrayList<>();
    private final Queue<CompletableFuture<?>> changes = new ConcurrentLinkedQueue<>();

    private WriterSite(LocalAws aws, String name, Duration visibility, String datasets) {
        this.aws = aws;
        this.random = new Random(Seeds.seed(name));
        this.traffic = new Traffic(random);
        this.table = new StoredTable(aws.dynamoDb(), "windrow-" + name);
        aws.createTable(new TableSpec(table.name(), DatasetsYaml.parse(name, datasets).rankedMeasures()));
        QueueSpec spec = QueueSpec.named("events-" + name).withVisibilityTimeout(visibility)
                .withMaxReceiveCount(MANY_RECEIVES);
        ProvisionedQueues queues = aws.createQueue(spec);
        this.queue = new TestQueue(aws.sqs(), queues.url());
        this.deadLetters = new TestQueue(aws.sqs(), queues.deadLetterUrl());
        this.options = options(name, spec, datasets);
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

    static WriterSite open(LocalAws aws, String name, Duration visibility, String datasets) {
        return new WriterSite(aws, name, visibility, datasets);
    }

    private WriterOptions options(String name, QueueSpec spec, String datasets) {
        WriterOptions common = WriterOptions.named(name).with("windrow.datasets-file", datasets(name, datasets))
                .with("windrow.table", table.name()).with("windrow.writer.queue", spec.name())
                .with("windrow.writer.dead-letter-queue", spec.deadLetterName())
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

    WriterOptions options() {
        return options;
    }

    /** A place for one more writer; no process yet. */
    WriterSlot slot() {
        WriterSlot slot = new WriterSlot(aws, options.withName(options.name() + "-" + slots.size()));
        slots.add(slot);
        return slot;
    }

    void send(int events) {
        queue.sendAll(traffic.messages(events));
    }

    /**
     * Sends events until the moment kills one of several writers, and returns which it was. Sends more each second: full
     * batches may be fewer than the moment counts, and a writer that is spared may take too many of them.
     */
    WriterSlot sendUntilKilled(KillMoment moment, List<WriterSlot> writers, int events) {
        CompletableFuture<WriterSlot> victim = moment.arm(writers);
        send(events);
        await(moment.toString()).atMost(LIMIT).pollInterval(MORE_EVENTS_EVERY).until(() -> {
            if (!victim.isDone()) {
                send(MORE_EVENTS);
            }
            return victim.isDone();
        });
        return victim.join();
    }

    /**
     * Shows a received message again, as if its visibility timeout had passed. Does not wait: should it fail, that timeout
     * will show it.
     */
    void redeliver(String receiptHandle) {
        changes.add(aws.sqs().changeMessageVisibility(
                change -> change.queueUrl(queue.url()).receiptHandle(receiptHandle).visibilityTimeout(0)));
    }

    /** Waits until no message is left, neither visible nor received, and everything claimed is applied. */
    void awaitDrained() {
        awaitDrained(LIMIT);
    }

    void awaitDrained(Duration limit) {
        await("an empty queue: " + options.name()).atMost(limit).pollInterval(POLL)
                .until(() -> queue.size() == 0 && table.isApplied());
    }

    /** Requires that the table holds everything that was sent, and that none of it is a dead letter. */
    void requireExact() {
        assertThat(table.buckets()).isEqualTo(traffic.expected());
        assertThat(deadLetters.size()).isZero();
    }

    @Override
    public void close() {
        slots.forEach(WriterSlot::close);
        CompletableFuture.allOf(changes.toArray(CompletableFuture[]::new)).handle((done, stale) -> done).join();
    }
}
