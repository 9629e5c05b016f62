package dev.windrow.writer.lifecycle;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.store.StoreConfig;
import io.netty.channel.EventLoopGroup;
import io.quarkus.netty.MainEventLoopGroup;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClientBuilder;

/**
 * Adjusts the SDK clients that the extension configures: they serve rare requests, on the existing event loops. A
 * connection that receives no byte for as long as a response may take is closed.
 */
@ApplicationScoped
public class AwsClients {

    /** For rare requests: dead letters, operations on them, and a second connection while the first one closes. */
    private static final int SPARE_CONNECTIONS = 16;

    private final SdkEventLoopGroup eventLoops;

    AwsClients(@MainEventLoopGroup EventLoopGroup eventLoops) {
        this.eventLoops = SdkEventLoopGroup.create(eventLoops);
    }

    @Produces
    @Singleton
    NetworkSettings network(NetworkConfig config) {
        return config.settings();
    }

    /** A client that does not retry: the JSON client takes its endpoint, region and credentials from it. */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, StoreConfig config, NetworkSettings network,
            @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
        ClientOverrideConfiguration configured = builder.overrideConfiguration();
        return builder.overrideConfiguration(configured.toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).apiCallTimeout(config.timeout()).build())
                .httpClientBuilder(http(network, endpoint, SPARE_CONNECTIONS, config.timeout())).build();
    }

    /** A client for visibility changes and dead letters. */
    @Produces
    @ApplicationScoped
    SqsAsyncClient sqs(SqsAsyncClientBuilder builder, AcknowledgeConfig config, NetworkSettings network,
            @ConfigProperty(name = "quarkus.sqs.endpoint-override") Optional<URI> endpoint) {
        return builder.httpClientBuilder(http(network, endpoint, Acknowledger.maxSdkRequests(config) + SPARE_CONNECTIONS,
                config.timeout())).build();
    }

    private NettyNioAsyncHttpClient.Builder http(NetworkSettings network, Optional<URI> endpoint, int connections,
            Duration silence) {
        return SdkHttp.async(network, endpoint).eventLoopGroup(eventLoops).maxConcurrency(connections).readTimeout(silence);
    }
}
