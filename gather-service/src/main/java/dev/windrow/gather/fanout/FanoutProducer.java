package dev.windrow.gather.fanout;

import java.time.Clock;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.lane.LaneCache;
import dev.windrow.gather.lane.LaneReader;
import io.netty.channel.EventLoopGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.netty.MainEventLoopGroup;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.redis.client.Redis;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
class FanoutProducer {

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
    ReadPermits readPermits(FanoutConfig config) {
        // No read of a query or stream that was admitted is refused.
        long admitted = config.maxReadsPerQuery() * ((long) config.maxQueries() + config.maxStreams());
        return ReadPermits.of(config.maxReads(), (int) Math.min(admitted, Integer.MAX_VALUE),
                config.resilience().attemptTimeout(), System::nanoTime);
    }

    @Produces
    @Singleton
    CachedShardReader.PageCache pages(@CacheName("closed-pages") Cache memory, FanoutConfig config, TableConfig table,
            Instance<Redis> redis) {
        CaffeinePageCache first = new CaffeinePageCache(memory);
        FanoutConfig.Cache cache = config.cache();
        return cache.redis().<CachedShardReader.PageCache> map(uri -> new RedisPageCache(first, redis.get(),
                table.table(), cache.redisTimeout(), cache.redisTtl())).orElse(first);
    }

    @Produces
    @Singleton
    ShardReader shardReader(@Table ShardReader table, FanoutConfig config, ReadPermits permits, GatherMetrics metrics,
            CachedShardReader.PageCache pages, Clock clock, @MainEventLoopGroup EventLoopGroup eventLoops) {
        ShardReader resilient = resilient(table, config, permits, metrics, new SharedTimer(eventLoops, System::nanoTime));
        return config.cache().enabled()
                ? new CachedShardReader(resilient, pages, clock, config.closedAfter(), config.cache().maxPageItems())
                : resilient;
    }

    private static ShardReader resilient(ShardReader table, FanoutConfig config, ReadPermits permits, GatherMetrics metrics,
            SharedTimer timer) {
        FanoutConfig.Resilience resilience = config.resilience();
        CircuitBreaker breaker = new CircuitBreaker(resilience.circuitBreakerReads(),
                resilience.circuitBreakerFailureRatio(), resilience.circuitBreakerDelay().toNanos(), System::nanoTime);
        return new ResilientShardReader(table, permits, RetryPolicy.of(resilience), breaker,
                HedgePolicy.of(config.hedging()), timer, System::nanoTime, metrics);
    }

    @Produces
    @Singleton
    LaneCache lanes(LaneReader reader, FanoutConfig config, Clock clock, GatherMetrics metrics) {
        FanoutConfig.Lanes lanes = config.lanes();
        return new LaneCache(reader, clock, System::nanoTime, lanes.refresh(), lanes.timeout(), lanes.abandonedAfter(),
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
    Gatherer gatherer(ShardReader reader, FanoutConfig config, Clock clock, GatherMetrics metrics,
            GatherTracing tracing, RegisteredDatasets registered) {
        FanoutLimits limits = new FanoutLimits(config.maxReadsPerQuery(), config.maxQueries(), config.maxQueuedQueries(),
                config.maxStreams(), config.slowClientTimeout(), config.maxItemsPerQuery());
        return new Gatherer(reader, limits, clock, Infrastructure.getDefaultWorkerPool(), metrics::ended,
                tracing, registered::requireSameKeys);
    }

    @Produces
    @Singleton
    RegisteredDatasets registered(ItemReader items, Datasets datasets, FanoutConfig config) {
        return new RegisteredDatasets(items, datasets, System::nanoTime, config.lanes().refresh(),
                config.lanes().timeout());
    }
}
