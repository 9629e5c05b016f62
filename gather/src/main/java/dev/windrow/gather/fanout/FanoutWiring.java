package dev.windrow.gather.fanout;

import java.net.URI;
import java.time.Clock;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.CredentialsHttp;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.read.CachedShardReader;
import dev.windrow.gather.read.CaffeinePageCache;
import dev.windrow.gather.read.DynamoItemReader;
import dev.windrow.gather.read.DynamoLaneReader;
import dev.windrow.gather.read.DynamoShards;
import dev.windrow.gather.read.Hedging;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.Lanes;
import dev.windrow.gather.read.ReadPermits;
import dev.windrow.gather.read.ReadSettings;
import dev.windrow.gather.read.RedisPageCache;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.gather.read.ResilientShardReader;
import dev.windrow.gather.read.RetryPolicy;
import dev.windrow.gather.read.ShardReader;
import io.netty.channel.EventLoopGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.cache.CaffeineCache;
import io.quarkus.netty.MainEventLoopGroup;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * Builds the fan-out from its settings and connects it to the table. The AWS SDK creates by class name the HTTP client that
 * exchanges a web identity for credentials (IRSA), and the factory for profiles that assume a role.
 */
@ApplicationScoped
@RegisterForReflection(targets = CredentialsHttp.class, classNames = "software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory")
public class FanoutWiring {

    /** As in the writer: half of the latest requests. */
    private static final double OUTAGE_RATIO = 0.5;
    private static final int LANE_READ_TRIES = 4;
    /** Maximum number of concurrent probes of the table. */
    private static final int RARE_REQUESTS = 8;

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    NetworkSettings network(GatherConfig config) {
        return config.network();
    }

    @Produces
    @Singleton
    HeldMemory heldMemory() {
        // The other half is for reading, merging and writing, and for the garbage collector.
        return new HeldMemory(Runtime.getRuntime().maxMemory() / 2);
    }

    @Produces
    @Singleton
    ReadSettings settings() {
        return ReadSettings.DEFAULTS;
    }

    @Produces
    @Singleton
    ReadPermits readPermits(ReadConfig config, ReadSettings settings) {
        // No read of a query or stream that was admitted is refused.
        long admitted = readsPerQuery(config) * ((long) config.maxQueries() + settings.maxStreams());
        return ReadPermits.of(config.maxReads(), (int) Math.min(admitted, Integer.MAX_VALUE),
                settings.attemptTimeout(), System::nanoTime);
    }

    private static int readsPerQuery(ReadConfig config) {
        return Math.min(FanoutLimits.MAX_READS_PER_QUERY, config.maxReads());
    }

    @Produces
    @Singleton
    CachedShardReader.PageCache pages(@CacheName("closed-pages") Cache memory, ReadConfig config, GatherConfig service,
            Instance<Redis> redis, @MainEventLoopGroup EventLoopGroup eventLoops) {
        CaffeinePageCache first = new CaffeinePageCache(memory.as(CaffeineCache.class));
        return config.redis().<CachedShardReader.PageCache> map(uri -> new RedisPageCache(first, redis.get(),
                service.table(), RedisPageCache.PATIENCE, RedisPageCache.KEEP, eventLoops)).orElse(first);
    }

    @Produces
    @Singleton
    ShardReader shardReader(AwsJsonClient client, GatherConfig service, ReadConfig config, ReadSettings settings,
            ReadPermits permits, ReadMetrics metrics, Instance<CachedShardReader.PageCache> pages, Clock clock,
            @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.cache.enabled") boolean cached) {
        CircuitBreaker breaker = new CircuitBreaker(settings.breakerReads(), OUTAGE_RATIO, settings.breakerDelay().toNanos(),
                System::nanoTime);
        ShardReader resilient = new ResilientShardReader(
                new DynamoShards(client, service.table(), settings.attemptTimeout()), permits, RetryPolicy.usual(), breaker,
                Hedging.of(config.hedging()), new SharedTimer(eventLoops, System::nanoTime), System::nanoTime, metrics);
        return cached
                ? new CachedShardReader(resilient, pages.get(), clock, config.closedAfter(), CachedShardReader.MAX_PAGE_ITEMS)
                : resilient;
    }

    @Produces
    @Singleton
    Lanes lanes(AwsJsonClient client, ReadSettings settings, GatherConfig service, Clock clock, ReadMetrics metrics,
            @MainEventLoopGroup EventLoopGroup eventLoops) {
        // One slow response must not use up the time of the whole read.
        ItemReader items = new DynamoItemReader(client, service.table(), settings.lanesTimeout().dividedBy(LANE_READ_TRIES));
        return new Lanes(new DynamoLaneReader(items)::read, clock, System::nanoTime, settings.lanesRefresh(),
                settings.lanesTimeout(), settings.abandonedAfter(), metrics::failed, eventLoops);
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, ReadConfig config, ReadSettings settings, Clock clock, ReadMetrics metrics,
            OpenTelemetry telemetry, RegisteredDatasets registered, @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean untraced) {
        FanoutLimits limits = new FanoutLimits(readsPerQuery(config), config.maxQueries(), config.maxQueuedQueries(),
                settings.maxStreams(), settings.slowClientTimeout(), FanoutLimits.MAX_ITEMS_PER_QUERY);
        return new Gatherer(reader, limits, clock, eventLoops, eventLoops, metrics::ended,
                untraced ? OpenTelemetry.noop() : telemetry, registered::requireSameKeys);
    }

    @Produces
    @Singleton
    RegisteredDatasets registered(ItemReader items, Datasets datasets, ReadSettings settings,
            @MainEventLoopGroup EventLoopGroup eventLoops) {
        return new RegisteredDatasets(items, datasets, System::nanoTime, settings.lanesRefresh(), settings.lanesTimeout(),
                eventLoops);
    }

    /**
     * The client for rare requests, on the existing event loops. It does not retry, because readiness is probed again anyway.
     * The wire client takes its endpoint, region and credentials from it.
     */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, ReadSettings settings, NetworkSettings network,
            @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).build())
                .httpClientBuilder(SdkHttp.async(network, endpoint).eventLoopGroup(SdkEventLoopGroup.create(eventLoops))
                        .maxConcurrency(RARE_REQUESTS).readTimeout(settings.attemptTimeout()))
                .build();
    }

    /** The client for queries. Hedges take no permits, so there are a few more connections than permits. */
    @Produces
    @Singleton
    AwsJsonClient wire(DynamoDbAsyncClient client, ReadConfig config, Clock clock, Vertx vertx, NetworkSettings network) {
        return new AwsJsonClientFactory(vertx, network, Infrastructure.getDefaultWorkerPool(), clock)
                .dynamoDb(client, config.maxReads() + Math.max(8, config.maxReads() / 8));
    }

    @Produces
    @Singleton
    ItemReader items(AwsJsonClient client, ReadSettings settings, GatherConfig service) {
        return new DynamoItemReader(client, service.table(), settings.attemptTimeout());
    }

}
