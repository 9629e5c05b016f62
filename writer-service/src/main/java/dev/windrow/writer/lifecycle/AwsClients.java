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
 * Adjusts the clients that the extension configures: they serve what is rare, on the event loops that are there anyway. A
 * connection that brings no byte for as long as an answer may take is closed.
 */
@ApplicationScoped
public class AwsClients {

    /** For what is rare: dead letters, their operations, and a second connection while the first one closes. */
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

    /** A client that does not retry: the wire client takes its endpoint, its region and its credentials from it. */
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
