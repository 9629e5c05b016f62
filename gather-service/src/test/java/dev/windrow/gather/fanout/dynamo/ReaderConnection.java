package dev.windrow.gather.fanout.dynamo;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;

import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.table.TableSchema;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A server that readers of both kinds are made for. */
final class ReaderConnection implements AutoCloseable {

    private static final int CONNECTIONS = 4;

    private final Vertx vertx;
    private final DynamoDbAsyncClient sdk;

    ReaderConnection(Vertx vertx, URI endpoint) {
        this.vertx = vertx;
        this.sdk = DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .overrideConfiguration(settings -> settings.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder()).build();
    }

    ShardReader reader(FanoutConfig.Reader kind, Duration timeout) {
        return switch (kind) {
            case WIRE -> new DynamoShardReader(
                    new AwsJsonClientFactory(vertx, Runnable::run, Clock.systemUTC()).dynamoDb(sdk, CONNECTIONS),
                    TableSchema.TABLE,
                    timeout);
            case SDK -> new SdkShardReader(sdk, TableSchema.TABLE, timeout);
        };
    }

    @Override
    public void close() {
        sdk.close();
    }
}
