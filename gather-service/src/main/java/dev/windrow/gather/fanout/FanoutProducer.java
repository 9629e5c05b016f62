package dev.windrow.gather.fanout;

import java.net.URI;
import java.time.Clock;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.gather.fanout.dynamo.DynamoShardReader;
import io.netty.channel.EventLoopGroup;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.netty.MainEventLoopGroup;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
class FanoutProducer {

    /** Probes of the table under way at a time. */
    private static final int RARE_REQUESTS = 8;

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    NetworkSettings network(NetworkConfig config) {
        return config.settings();
    }

    /**
     * A client for what is rare, on the event loops that are there anyway. It does not retry: readiness is asked for again
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

    @Produces
    @Singleton
    ReadPermits readPermits(FanoutConfig config) {
        return new ReadPermits(new AsyncPermits(config.maxReads(), config.maxReadsPerQuery() * config.maxQueries(), "reads"));
    }

    @Produces
    @Singleton
    CachedShardReader.PageCache pages(@CacheName("closed-pages") Cache memory, FanoutConfig config, Instance<Redis> redis) {
        CaffeinePageCache first = new CaffeinePageCache(memory);
        FanoutConfig.Cache cache = config.cache();
        return cache.redis().<CachedShardReader.PageCache> map(uri -> new RedisPageCache(first, redis.get(),
                cache.redisTimeout(), cache.redisTtl())).orElse(first);
    }

    @Produces
    @Singleton
    ShardReader shardReader(DynamoDbAsyncClient client, FanoutConfig config, ReadPermits permits, GatherMetrics metrics,
            CachedShardReader.PageCache pages, Clock clock, Vertx vertx, NetworkSettings network) {
        ShardReader bounded = bounded(table(client, config, clock, vertx, network), config, permits, metrics);
        return config.cache().enabled()
                ? new CachedShardReader(bounded, pages, clock, config.closedAfter(), config.cache().maxPageItems())
                : bounded;
    }

    /** The table itself. */
    static ShardReader table(DynamoDbAsyncClient client, FanoutConfig config, Clock clock, Vertx vertx,
            NetworkSettings network) {
        return new DynamoShardReader(new AwsJsonClientFactory(vertx, network, Infrastructure.getDefaultWorkerPool(), clock)
                .dynamoDb(client, connections(config)), config.table(), config.resilience().attemptTimeout());
    }

    /**
     * From the outside in: bounded, hedged, retried, metered. A hedge takes no permit, as it may add a twentieth at most.
     */
    static ShardReader bounded(ShardReader table, FanoutConfig config, ReadPermits permits, GatherMetrics metrics) {
        ShardReader resilient = new ResilientShardReader(new MeteredShardReader(table, metrics), config.resilience());
        return new BoundedShardReader(hedged(resilient, config.hedging(), metrics), permits.permits());
    }

    private static ShardReader hedged(ShardReader reader, FanoutConfig.Hedging config, GatherMetrics metrics) {
        return config.enabled()
                ? new HedgedShardReader(reader, new HedgeBudget(config.budget()),
                        new LatencyQuantile(config.quantile(), config.minDelay()), System::nanoTime, metrics::hedged)
                : reader;
    }

    /** All reads' permits, under a name of their own. */
    record ReadPermits(AsyncPermits permits) {
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, FanoutConfig config, Clock clock) {
        FanoutLimits bounds = new FanoutLimits(config.maxReadsPerQuery(), config.maxQueries(), config.maxQueuedQueries(),
                config.maxStreams(), config.slowClientTimeout(), config.maxItemsPerQuery());
        return new Gatherer(reader, bounds, clock, Infrastructure.getDefaultWorkerPool());
    }
}
