package dev.windrow.writer.lifecycle;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.source.SqsReceiver;
import dev.windrow.writer.store.DynamoTableWrites;
import dev.windrow.writer.store.StoreConfig;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The flow's clients for its frequent requests to queue and table; rare ones go through the SDK. */
@ApplicationScoped
class Transport {

    /** For a second connection while the first one closes. */
    private static final int SPARE_CONNECTIONS = 8;

    /** Maximum writes of the journal's lanes and cuts in flight, beside those of buckets. */
    static final int LANE_REQUESTS = 8;

    /** As many lanes or records are read at a time. */
    private static final int LANE_READS = 16;

    private final SqsAsyncClient sqs;
    private final AwsJsonClient queue;
    private final AwsJsonClient table;
    private final SourceConfig source;
    private final StoreConfig store;
    private final AcknowledgeConfig acknowledge;
    private final Executor workers;

    @Inject
    Transport(Vertx vertx, NetworkSettings network, WriterConfig config, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb,
            SourceConfig source, StoreConfig store, AcknowledgeConfig acknowledge) {
        this.workers = Infrastructure.getDefaultWorkerPool();
        this.sqs = sqs;
        AwsJsonClientFactory clients = new AwsJsonClientFactory(vertx, network, workers, Clock.systemUTC());
        int queues = config.queueNames().size();
        this.queue = clients.sqs(sqs, queues * source.pollers() + acknowledge.maxConcurrency() + SPARE_CONNECTIONS);
        this.table = clients.dynamoDb(dynamoDb, store.maxConcurrency() + LANE_REQUESTS + LANE_READS + SPARE_CONNECTIONS);
        this.source = source;
        this.store = store;
        this.acknowledge = acknowledge;
    }

    SqsReceiver receiver() {
        return new SqsReceiver(queue, source.receiveWait(), workers);
    }

    /** The table of that name. */
    DynamoTableWrites table(String name) {
        return new DynamoTableWrites(table, name, store.timeout());
    }

    /** @param attempted is run at the end of each attempt to delete or return messages */
    Acknowledger acknowledger(ScheduledExecutorService timer, Runnable attempted) {
        return new Acknowledger(sqs, queue, acknowledge, timer, attempted);
    }
}
