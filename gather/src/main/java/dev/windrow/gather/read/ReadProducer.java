package dev.windrow.gather.read;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Qualifier;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.AdaptiveLimit;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.read.CachedShardReader.CaffeinePageCache;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.Gatherer.GatherTracing;
import dev.windrow.gather.read.ItemReader.DynamoItemReader;
import dev.windrow.gather.read.Lanes.DynamoLaneReader;
import dev.windrow.gather.read.Lanes.LaneReader;
import dev.windrow.gather.read.ReadConfig.NetworkConfig;
import dev.windrow.gather.read.ReadConfig.TableConfig;
import dev.windrow.gather.read.ShardRead.ResilientShardReader;
import dev.windrow.gather.read.ShardRead.RetryPolicy;
import io.netty.channel.EventLoopGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.netty.MainEventLoopGroup;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
public class ReadProducer {

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

    @Produces
    @Singleton
    HeldMemory heldMemory() {
        return HeldMemory.ofHeap(Runtime.getRuntime().maxMemory());
    }

    @Produces
    @Singleton
    ReadPermits readPermits(ReadConfig config) {
        // No read of a query or stream that was admitted is refused.
        long admitted = config.maxReadsPerQuery() * ((long) config.maxQueries() + config.maxStreams());
        return ReadPermits.of(config.maxReads(), (int) Math.min(admitted, Integer.MAX_VALUE),
                config.resilience().attemptTimeout(), System::nanoTime);
    }

    @Produces
    @Singleton
    CachedShardReader.PageCache pages(@CacheName("closed-pages") Cache memory, ReadConfig config, TableConfig table,
            Instance<Redis> redis) {
        CaffeinePageCache first = new CaffeinePageCache(memory);
        ReadConfig.Cache cache = config.cache();
        return cache.redis().<CachedShardReader.PageCache> map(uri -> new RedisPageCache(first, redis.get(),
                table.table(), cache.redisTimeout(), cache.redisTtl())).orElse(first);
    }

    @Produces
    @Singleton
    ShardReader shardReader(@Table ShardReader table, ReadConfig config, ReadPermits permits, ReadMetrics metrics,
            CachedShardReader.PageCache pages, Clock clock, @MainEventLoopGroup EventLoopGroup eventLoops) {
        ShardReader resilient = resilient(table, config, permits, metrics, new SharedTimer(eventLoops, System::nanoTime));
        return config.cache().enabled()
                ? new CachedShardReader(resilient, pages, clock, config.closedAfter(), config.cache().maxPageItems())
                : resilient;
    }

    private static ShardReader resilient(ShardReader table, ReadConfig config, ReadPermits permits, ReadMetrics metrics,
            SharedTimer timer) {
        ReadConfig.Resilience resilience = config.resilience();
        CircuitBreaker breaker = new CircuitBreaker(resilience.circuitBreakerReads(),
                resilience.circuitBreakerFailureRatio(), resilience.circuitBreakerDelay().toNanos(), System::nanoTime);
        return new ResilientShardReader(table, permits, RetryPolicy.of(resilience), breaker,
                Hedging.of(config.hedging()), timer, System::nanoTime, metrics);
    }

    @Produces
    @Singleton
    Lanes lanes(LaneReader reader, ReadConfig config, Clock clock, ReadMetrics metrics) {
        ReadConfig.Lanes lanes = config.lanes();
        return new Lanes(reader, clock, System::nanoTime, lanes.refresh(), lanes.timeout(), lanes.abandonedAfter(),
                failure -> {
                    Throwable withReason = failure instanceof TimeoutException
                            ? new GatherException(Reason.TIMED_OUT, "the lanes were not read in time")
                            : failure;
                    metrics.failed(withReason);
                    return GatherException.reasonOf(withReason);
                });
    }

    @Produces
    @Singleton
    GatherTracing tracing(OpenTelemetry telemetry,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean disabled) {
        return disabled ? GatherTracing.off() : GatherTracing.with(telemetry);
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, ReadConfig config, Clock clock, ReadMetrics metrics,
            GatherTracing tracing, RegisteredDatasets registered) {
        FanoutLimits limits = new FanoutLimits(config.maxReadsPerQuery(), config.maxQueries(), config.maxQueuedQueries(),
                config.maxStreams(), config.slowClientTimeout(), config.maxItemsPerQuery());
        return new Gatherer(reader, limits, clock, Infrastructure.getDefaultWorkerPool(), metrics::ended,
                tracing, registered::requireSameKeys);
    }

    @Produces
    @Singleton
    RegisteredDatasets registered(ItemReader items, Datasets datasets, ReadConfig config) {
        return new RegisteredDatasets(items, datasets, System::nanoTime, config.lanes().refresh(),
                config.lanes().timeout());
    }

    /** Connects the fan-out to the table. */
    @ApplicationScoped
    static class DynamoProducer {

        private static final int LANE_READ_TRIES = 4;

        /** Probes of the table under way at a time. */
        private static final int RARE_REQUESTS = 8;

        /**
         * A client for what is rare, on the event loops that are there anyway. It does not retry: readiness is probed again
         * anyway. The wire client takes its endpoint, its region and its credentials from it.
         */
        @Produces
        @ApplicationScoped
        DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, ReadConfig config, NetworkSettings network,
                @MainEventLoopGroup EventLoopGroup eventLoops,
                @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
            return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                    .retryStrategy(DefaultRetryStrategy.doNotRetry()).build())
                    .httpClientBuilder(SdkHttp.async(network, endpoint).eventLoopGroup(SdkEventLoopGroup.create(eventLoops))
                            .maxConcurrency(RARE_REQUESTS).readTimeout(config.resilience().attemptTimeout()))
                    .build();
        }

        /** A hedge takes no permit, so there are some connections more than permits. */
        private static int connections(ReadConfig config) {
            return config.maxReads() + Math.max(8, config.maxReads() / 8);
        }

        /** The client for what every query needs. */
        @Produces
        @Singleton
        AwsJsonClient wire(DynamoDbAsyncClient client, ReadConfig config, Clock clock, Vertx vertx, NetworkSettings network) {
            return new AwsJsonClientFactory(vertx, network, Infrastructure.getDefaultWorkerPool(), clock)
                    .dynamoDb(client, connections(config));
        }

        /** The table itself. */
        @Produces
        @Singleton
        @Table
        ShardReader table(AwsJsonClient client, ReadConfig config, TableConfig table) {
            return new DynamoShards(client, table.table(), config.resilience().attemptTimeout());
        }

        /** The journal's lanes. */
        @Produces
        @Singleton
        LaneReader lanes(AwsJsonClient client, ReadConfig config, TableConfig table) {
            // One slow response must not use up the time of the whole read.
            return new DynamoLaneReader(
                    new DynamoItemReader(client, table.table(), config.lanes().timeout().dividedBy(LANE_READ_TRIES)));
        }

        /** Single items. */
        @Produces
        @Singleton
        ItemReader items(AwsJsonClient client, ReadConfig config, TableConfig table) {
            return new DynamoItemReader(client, table.table(), config.resilience().attemptTimeout());
        }
    }

    /**
     * The permits of all reads. As many reads are in flight as the table answers well before they time out; the others wait
     * here,
     * where queries take turns, rather than there.
     *
     * @param limit of the permits
     */
    public record ReadPermits(AdmissionQueue permits, AdaptiveLimit limit) {

        /** Enough for the circuit breaker to notice an outage by reads that time out. */
        private static final int MIN = 32;
        private static final int INITIAL = 128;
        private static final int SLOW_PART = 4;

        /**
         * @param max maximum number of reads in flight
         * @param maxWaiting maximum number of reads that wait
         * @param timeout of an attempt; a quarter of it is slow
         */
        static ReadPermits of(int max, int maxWaiting, Duration timeout, LongSupplier nanoTime) {
            AdaptiveLimit limit = new AdaptiveLimit(Math.min(MIN, max), Math.min(INITIAL, max), max,
                    timeout.dividedBy(SLOW_PART).toNanos(), nanoTime);
            return new ReadPermits(AdmissionQueue.ofPermits(limit::current, maxWaiting, "reads", GatherException::new), limit);
        }
    }

    /** The {@link ShardReader} that reads the table itself, which all others are wrapped around. */
    @Qualifier
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
    public @interface Table {
    }
}
