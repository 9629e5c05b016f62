package dev.windrow.local;

import java.net.URI;

import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Clients of servers on this machine, such as proxies of tests. All share an HTTP client that ends with the JVM: the SDK takes
 * two seconds or more to stop one, which every test would wait for.
 */
public final class TestClients {

    private static final SdkAsyncHttpClient HTTP = NettyNioAsyncHttpClient.create();

    private TestClients() {
    }

    /** A client of the DynamoDB at an endpoint, to be closed by the caller. */
    public static DynamoDbAsyncClient dynamoDb(URI endpoint) {
        return LocalAws.configured(DynamoDbAsyncClient.builder(), endpoint, HTTP).build();
    }

    /** The same, whose first failure is that of the request. */
    public static DynamoDbAsyncClient dynamoDbWithoutRetries(URI endpoint) {
        return LocalAws.configured(DynamoDbAsyncClient.builder(), endpoint, HTTP)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())).build();
    }

    public static SqsAsyncClient sqs(URI endpoint) {
        return LocalAws.configured(SqsAsyncClient.builder(), endpoint, HTTP).build();
    }
}
