package dev.windrow.bench.baseline;

import java.net.URI;
import java.time.Duration;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** SDK clients of the baselines: the same HTTP client and region as the services', credentials that mean nothing. */
final class Settings {

    private static final Region REGION = Region.US_EAST_1;
    private static final StaticCredentialsProvider CREDENTIALS = StaticCredentialsProvider
            .create(AwsBasicCredentials.create("windrow", "windrow"));
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    private Settings() {
    }

    static DynamoDbAsyncClient dynamoDb(URI endpoint, int connections) {
        return DynamoDbAsyncClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder().maxConcurrency(connections)).build();
    }

    static SqsAsyncClient sqs(URI endpoint, int connections) {
        return SqsAsyncClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder().maxConcurrency(connections)).build();
    }

    static DynamoDbClient blockingDynamoDb(URI endpoint) {
        return DynamoDbClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClientBuilder(ApacheHttpClient.builder()).build();
    }

    static SqsClient blockingSqs(URI endpoint) {
        return SqsClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClientBuilder(ApacheHttpClient.builder().socketTimeout(MAX_WAIT)).build();
    }
}
