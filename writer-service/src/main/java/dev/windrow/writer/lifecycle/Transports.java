package dev.windrow.writer.lifecycle;

import java.time.Clock;
import java.util.concurrent.Executor;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.StoreConfig;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Chooses the transport. */
@Dependent
class Transports {

    @Produces
    @Dependent
    Transport transport(WriterConfig config, Vertx vertx, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb,
            SourceConfig source, StoreConfig store, AcknowledgeConfig acknowledge) {
        return switch (config.transport()) {
            case WIRE -> {
                Executor workers = Infrastructure.getDefaultWorkerPool();
                yield new WireTransport(new AwsJsonClientFactory(vertx, workers, Clock.systemUTC()), config.queueNames().size(),
                        sqs,
                        dynamoDb, source, store, acknowledge, workers);
            }
            case SDK -> new SdkTransport(sqs, dynamoDb, source, acknowledge);
        };
    }
}
