package dev.windrow.writer.lifecycle;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.MessageSource;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.StoreConfig;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;

/**
 * Adjusts the clients that the extension configures. A request that is given up leaves its connection waiting for the
 * answer, so one that brings no byte for as long as an answer may take is closed: else a table or a queue that hangs would
 * use up all connections for good.
 */
@ApplicationScoped
public class AwsClients {

    /** The shortest that the HTTP client can tell, as it counts seconds. */
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(2);

    /** For what is rare: dead letters, their operations, and a second connection while the first one closes. */
    private static final int SPARE_CONNECTIONS = 16;

    /** A client that does not retry: leveling must see each throttled request, and the retries are the store's own. */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, StoreConfig config) {
        ClientOverrideConfiguration configured = builder.overrideConfiguration();
        return builder.overrideConfiguration(configured.toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).apiCallTimeout(config.timeout()).build())
                .httpClientBuilder(connections(config.maxConcurrency() + SPARE_CONNECTIONS, config.timeout())).build();
    }

    /** A client whose receives may wait without a byte for as long as SQS lets them. */
    @Produces
    @ApplicationScoped
    SqsAsyncClient sqs(SqsAsyncClientBuilder builder, WriterConfig writer, SourceConfig source, AcknowledgeConfig acknowledge) {
        int receives = writer.queueNames().size() * source.pollers();
        int most = receives + Acknowledger.maxRequests(acknowledge) + SPARE_CONNECTIONS;
        Duration silence = longer(MessageSource.maxReceive(source), acknowledge.timeout());
        return builder.httpClientBuilder(connections(most, silence)).build();
    }

    private static AwsCrtAsyncHttpClient.Builder connections(int most, Duration silence) {
        return AwsCrtAsyncHttpClient.builder().maxConcurrency(most)
                .connectionHealthConfiguration(health -> health.minimumThroughputInBps(1L)
                        .minimumThroughputTimeout(longer(silence, SHORTEST_SILENCE)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
