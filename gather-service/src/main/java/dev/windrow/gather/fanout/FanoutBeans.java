package dev.windrow.gather.fanout;

import java.time.Clock;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
class FanoutBeans {

    private static final int REDIS_CONNECTIONS = 8;
    private static final int MOST_WAITING_FOR_REDIS = 1_000;

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** A client that does not retry, as the retries are the fan-out's own. */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder) {
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).build()).build();
    }

    @Produces
    @Singleton
    ReadPermits readPermits(FanoutConfig config) {
        return new ReadPermits(new AsyncPermits(config.reads(), config.readsPerAnswer() * config.answers(), "reads"));
    }

    /**
     * From the outside in: cached, bounded, hedged, retried, metered. A hedge takes no permit, as it may add a twentieth at
     * most.
     */
    @Produces
    @Singleton
    ShardReader shardReader(DynamoDbAsyncClient client, FanoutConfig config, ReadPermits permits, GatherMetrics metrics,
            CachedShardReader.PageCache pages, Clock clock) {
        ShardReader dynamo = new DynamoShardReader(client, config.table(), config.resilience().attemptTimeout());
        ShardReader resilient = new ResilientShardReader(new MeteredShardReader(dynamo, metrics), config.resilience());
        ShardReader bounded = new BoundedShardReader(hedged(resilient, config.hedging(), metrics), permits.permits());
        return config.cache().enabled()
                ? new CachedShardReader(bounded, pages, clock, config.cache().closedAfter(), config.cache().mostItems())
                : bounded;
    }

    private static ShardReader hedged(ShardReader reader, FanoutConfig.Hedging config, GatherMetrics metrics) {
        return config.enabled()
                ? new HedgedShardReader(reader, new HedgeBudget(config.budget()),
                        new Latencies(config.quantile(), config.shortestDelay()), System::nanoTime, metrics::hedged)
                : reader;
    }

    /** All reads' permits, under a name of their own. */
    record ReadPermits(AsyncPermits permits) {
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, FanoutConfig config, Clock clock) {
        FanoutBounds bounds = new FanoutBounds(config.readsPerAnswer(), config.answers(), config.answersWaiting(),
                config.itemsPerAnswer());
        return new Gatherer(reader, bounds, clock);
    }
}
