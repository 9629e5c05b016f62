package dev.windrow.writer.lifecycle;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.MessageReceiver;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.source.SqsReceiver;
import dev.windrow.writer.store.DynamoTableWrites;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.TableWrites;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Receives, writes and deletes by wire; what is rare by the SDK. */
final class WireTransport implements Transport {

    /** For a second connection while the first one closes. */
    private static final int SPARE_CONNECTIONS = 8;

    private final SqsAsyncClient sqs;
    private final AwsJsonClient queue;
    private final AwsJsonClient table;
    private final SourceConfig source;
    private final StoreConfig store;
    private final AcknowledgeConfig acknowledge;
    private final Executor workers;

    WireTransport(AwsJsonClientFactory clients, int queues, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb,
            SourceConfig source,
            StoreConfig store, AcknowledgeConfig acknowledge, Executor workers) {
        this.sqs = sqs;
        this.queue = clients.sqs(sqs, queues * source.pollers() + acknowledge.maxConcurrency() + SPARE_CONNECTIONS);
        this.table = clients.dynamoDb(dynamoDb, store.maxConcurrency() + SPARE_CONNECTIONS);
        this.source = source;
        this.store = store;
        this.acknowledge = acknowledge;
        this.workers = workers;
    }

    @Override
    public MessageReceiver receives() {
        return new SqsReceiver(queue, source.receiveWait(), workers);
    }

    @Override
    public TableWrites table(String name) {
        return new DynamoTableWrites(table, name, store.timeout());
    }

    @Override
    public Acknowledger acknowledger(ScheduledExecutorService timer) {
        return new Acknowledger(sqs, queue, acknowledge, timer);
    }
}
