package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.gather.fanout.dynamo.DynamoShardReader;
import dev.windrow.gather.fanout.dynamo.SdkShardReader;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
class FanoutProducer {

    /** The shortest that the HTTP client can tell, as it counts seconds. */
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(2);

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /**
     * A client that does not retry, as the retries are the fan-out's own. A read that is given up leaves its connection
     * waiting for the answer: one that brings no byte for as long as an attempt may take is closed, or a table that hangs
     * would use up all connections for good.
     */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, FanoutConfig config) {
        Duration attempt = config.resilience().attemptTimeout();
        Duration silence = attempt.compareTo(SHORTEST_SILENCE) < 0 ? SHORTEST_SILENCE : attempt;
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).build())
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder()
                        .maxConcurrency(connections(config))
                        .connectionHealthConfiguration(health -> health.minimumThroughputInBps(1L)
                                .minimumThroughputTimeout(silence)))
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
            CachedShardReader.PageCache pages, Clock clock, Vertx vertx) {
        ShardReader bounded = bounded(table(client, config, clock, vertx), config, permits, metrics);
        return config.cache().enabled()
                ? new CachedShardReader(bounded, pages, clock, config.closedAfter(), config.cache().maxPageItems())
                : bounded;
    }

    /** The table itself. */
    static ShardReader table(DynamoDbAsyncClient client, FanoutConfig config, Clock clock, Vertx vertx) {
        Duration timeout = config.resilience().attemptTimeout();
        return switch (config.reader()) {
            case WIRE -> new DynamoShardReader(new AwsJsonClientFactory(vertx, Infrastructure.getDefaultWorkerPool(), clock)
                    .dynamoDb(client, connections(config)), config.table(), timeout);
            case SDK -> new SdkShardReader(client, config.table(), timeout);
        };
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
