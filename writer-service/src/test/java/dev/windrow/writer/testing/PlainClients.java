package dev.windrow.writer.testing;

import java.net.URI;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Clients that repeat nothing by themselves; their HTTP client ends with the JVM. */
public final class PlainClients {

    private static final SdkAsyncHttpClient HTTP = NettyNioAsyncHttpClient.create();

    private PlainClients() {
    }

    /** A client of the DynamoDB at an endpoint, to be closed by the caller. */
    public static DynamoDbAsyncClient dynamoDb(URI endpoint) {
        return DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "local")))
                .httpClient(HTTP)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())).build();
    }
}
