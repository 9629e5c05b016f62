package dev.windrow.writer.lifecycle;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

import dev.windrow.writer.store.StoreConfig;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Adjusts the clients that the extension configures. */
@ApplicationScoped
public class AwsClients {

    /** A client that does not retry: leveling must see each throttled request, and the retries are the store's own. */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, StoreConfig config) {
        ClientOverrideConfiguration configured = builder.overrideConfiguration();
        return builder.overrideConfiguration(configured.toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).apiCallTimeout(config.timeout()).build()).build();
    }
}
