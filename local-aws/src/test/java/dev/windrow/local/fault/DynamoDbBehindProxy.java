package dev.windrow.local.fault;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Patience;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Counters in the embedded DynamoDB, seen directly and through a proxy by clients that never retry. */
final class DynamoDbBehindProxy implements AutoCloseable {

    static final String TABLE = TableSchema.TABLE;

    /**
     * One for all clients: it takes two seconds to close, which every test would wait for. A thousand requests that are let go
     * at once take a busy machine longer than the client's usual half minute.
     */
    static final SdkAsyncHttpClient HTTP = NettyNioAsyncHttpClient.builder().maxConcurrency(1_000)
            .readTimeout(Patience.LIMIT.multipliedBy(2)).connectionAcquisitionTimeout(Patience.LIMIT).build();

    private final LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    /** What a proxy is put in front of. */
    URI endpoint() {
        return aws.dynamoDbEndpoint();
    }

    static DynamoDbAsyncClient client(URI endpoint) {
        return DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "local")))
                .httpClient(HTTP)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())).build();
    }

    static Map<String, AttributeValue> key(String pk) {
        return Map.of(TableSchema.PK, AttributeValue.fromS(pk), TableSchema.SK, AttributeValue.fromS("counter"));
    }

    static CompletableFuture<UpdateItemResponse> increment(DynamoDbAsyncClient client, String pk) {
        return client.updateItem(update -> update.tableName(TABLE).key(key(pk)).updateExpression("ADD n :one")
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    }

    /** The counter as the table holds it; 0 if there is none. */
    int counter(String pk) {
        Map<String, AttributeValue> item = aws.dynamoDb()
                .getItem(get -> get.tableName(TABLE).key(key(pk)).consistentRead(true)).join().item();
        return item.isEmpty() ? 0 : Integer.parseInt(item.get("n").n());
    }

    @Override
    public void close() {
        aws.close();
    }
}
