package dev.windrow.gather.fanout;

import java.time.Clock;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Puts the fan-out together from its settings. */
@ApplicationScoped
class FanoutBeans {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    ShardReader shardReader(DynamoDbAsyncClient client, FanoutConfig config) {
        AsyncPermits reads = new AsyncPermits(config.reads(), config.readsPerAnswer() * config.answers(), "reads");
        return new BoundedShardReader(new DynamoShardReader(client, config.table()), reads);
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, FanoutConfig config, Clock clock) {
        FanoutBounds bounds = new FanoutBounds(config.readsPerAnswer(), config.answers(), config.answersWaiting(),
                config.itemsPerAnswer());
        return new Gatherer(reader, bounds, clock);
    }
}
