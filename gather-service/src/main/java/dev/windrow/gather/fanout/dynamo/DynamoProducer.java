package dev.windrow.gather.fanout.dynamo;

import java.net.URI;
import java.time.Clock;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.ItemReader;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.gather.fanout.Table;
import dev.windrow.gather.fanout.TableConfig;
import dev.windrow.gather.lane.LaneReader;
import io.netty.channel.EventLoopGroup;
import io.quarkus.netty.MainEventLoopGroup;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Connects the fan-out to the table. */
@ApplicationScoped
class DynamoProducer {

    private static final int LANE_READ_TRIES = 4;

    /** Probes of the table under way at a time. */
    private static final int RARE_REQUESTS = 8;

    /**
     * A client for what is rare, on the event loops that are there anyway. It does not retry: readiness is probed again
     * anyway. The wire client takes its endpoint, its region and its credentials from it.
     */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, FanoutConfig config, NetworkSettings network,
            @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).build())
                .httpClientBuilder(SdkHttp.async(network, endpoint).eventLoopGroup(SdkEventLoopGroup.create(eventLoops))
                        .maxConcurrency(RARE_REQUESTS).readTimeout(config.resilience().attemptTimeout()))
                .build();
    }

    /** A hedge takes no permit, so there are some connections more than permits. */
    private static int connections(FanoutConfig config) {
        return config.maxReads() + Math.max(8, config.maxReads() / 8);
    }

    /** The client for what every query needs. */
    @Produces
    @Singleton
    AwsJsonClient wire(DynamoDbAsyncClient client, FanoutConfig config, Clock clock, Vertx vertx, NetworkSettings network) {
        return new AwsJsonClientFactory(vertx, network, Infrastructure.getDefaultWorkerPool(), clock)
                .dynamoDb(client, connections(config));
    }

    /** The table itself. */
    @Produces
    @Singleton
    @Table
    ShardReader table(AwsJsonClient client, FanoutConfig config, TableConfig table) {
        return new DynamoShardReader(client, table.table(), config.resilience().attemptTimeout());
    }

    /** The journal's lanes. */
    @Produces
    @Singleton
    LaneReader lanes(AwsJsonClient client, FanoutConfig config, TableConfig table) {
        // One slow response must not use up the time of the whole read.
        return new DynamoLaneReader(
                new DynamoItemReader(client, table.table(), config.lanes().timeout().dividedBy(LANE_READ_TRIES)));
    }

    /** Single items. */
    @Produces
    @Singleton
    ItemReader items(AwsJsonClient client, FanoutConfig config, TableConfig table) {
        return new DynamoItemReader(client, table.table(), config.resilience().attemptTimeout());
    }
}
