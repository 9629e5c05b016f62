package dev.windrow.writer.lifecycle;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.wire.WireClient;
import dev.windrow.wire.WireClients;
import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.Receives;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.source.WireReceives;
import dev.windrow.writer.store.StoreConfig;
import dev.windrow.writer.store.TableWrites;
import dev.windrow.writer.store.WireTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Receives, writes and deletes by wire; what is rare by the SDK. */
final class WireTransport implements Transport {

    /** For a second connection while the first one closes. */
    private static final int SPARE_CONNECTIONS = 8;

    private final SqsAsyncClient sqs;
    private final WireClient queue;
    private final WireClient table;
    private final SourceConfig source;
    private final StoreConfig store;
    private final AcknowledgeConfig acknowledge;
    private final Executor workers;

    WireTransport(WireClients clients, int queues, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb, SourceConfig source,
            StoreConfig store, AcknowledgeConfig acknowledge, Executor workers) {
        this.sqs = sqs;
        this.queue = clients.sqs(sqs, queues * source.pollers() + acknowledge.requests() + SPARE_CONNECTIONS);
        this.table = clients.dynamoDb(dynamoDb, store.concurrency() + SPARE_CONNECTIONS);
        this.source = source;
        this.store = store;
        this.acknowledge = acknowledge;
        this.workers = workers;
    }

    @Override
    public Receives receives() {
        return new WireReceives(queue, source.receiveWait(), workers);
    }

    @Override
    public TableWrites table(String name) {
        return new WireTable(table, name, store.timeout());
    }

    @Override
    public Acknowledger acknowledger(ScheduledExecutorService timer) {
        return new Acknowledger(sqs, queue, acknowledge, timer);
    }
}
