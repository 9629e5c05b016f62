package dev.windrow.writer;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.windrow.local.LocalAws;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueSpec;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterWiring.FlowSettings;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.TestQueue;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A queue and a table of its own for one test, the table behind a proxy, and writers between them. */
final class InProcessSite implements AutoCloseable {

    private static final AtomicInteger SITES = new AtomicInteger();

    final String table;
    final TestQueue queue;
    final TestQueue deadLetters;
    final Buckets buckets;
    /** Between the writers and the table. */
    final FaultProxy proxy;
    private final LocalAws aws;
    private final DynamoDbAsyncClient client;
    private final Map<String, String> settings = new HashMap<>();
    private Path datasets = Path.of("src/test/resources/datasets.yaml");

    /** Of a queue of {@link #spec}. */
    InProcessSite(LocalAws aws, QueueSpec spec) {
        this.aws = aws;
        table = spec.name();
        ProvisionedQueues queues = aws.createQueue(spec);
        queue = new TestQueue(aws.sqs(), queues.url());
        deadLetters = new TestQueue(aws.sqs(), queues.deadLetterUrl());
        aws.createTable(table);
        buckets = new Buckets(aws.dynamoDb(), table);
        proxy = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
        client = TestClients.dynamoDb(proxy.endpoint());
        settings.putAll(Map.of("windrow.writer.queue", queues.url(), "windrow.writer.dead-letter-queue",
                queues.deadLetterUrl(), "windrow.table", table, "windrow.writer.journal.lease", "2s",
                "windrow.writer.journal.write-every.hour", "1s", "windrow.writer.journal.write-every.day", "1s"));
    }

    /** A queue with a name of its own, that lets a message be received far more often than a test needs. */
    static QueueSpec spec(String suffix) {
        return QueueSpec.named("site-" + SITES.incrementAndGet() + suffix).withMaxReceiveCount(1_000);
    }

    InProcessSite with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    InProcessSite datasets(Path file) {
        datasets = file;
        return this;
    }

    InProcessWriter writer() {
        return writer(aws.sqs());
    }

    InProcessWriter writer(SqsAsyncClient sqs) {
        return writer(InProcessWriter.FLOW, sqs, client);
    }

    InProcessWriter writer(FlowSettings flow) {
        return writer(flow, aws.sqs(), client);
    }

    InProcessWriter writer(FlowSettings flow, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb) {
        return new InProcessWriter(datasets, settings, flow, sqs, dynamoDb);
    }

    void awaitEmpty() {
        await().atMost(Patience.LIMIT).until(() -> queue.size() == 0);
    }

    @Override
    public void close() {
        client.close();
        proxy.close();
    }
}
