package dev.windrow.bench.baseline;

import java.net.URI;
import java.time.Duration;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** SDK clients of the baselines: the same HTTP client and region as the services', credentials that mean nothing. */
final class Settings {

    private static final Region REGION = Region.US_EAST_1;
    private static final StaticCredentialsProvider CREDENTIALS = StaticCredentialsProvider
            .create(AwsBasicCredentials.create("windrow", "windrow"));

    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private Settings() {
    }

    static DynamoDbAsyncClient dynamoDb(URI endpoint, int connections) {
        return DynamoDbAsyncClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClient(http(connections)).build();
    }

    static SqsAsyncClient sqs(URI endpoint, int connections) {
        // As the writer does.
        return SqsAsyncClient.builder().checksumValidationEnabled(false).region(REGION).credentialsProvider(CREDENTIALS)
                .endpointOverride(endpoint).httpClient(http(connections)).build();
    }

    /** What is more than there are connections waits in the client. */
    private static SdkAsyncHttpClient http(int connections) {
        return AwsCrtAsyncHttpClient.builder().maxConcurrency(connections).connectionAcquisitionTimeout(MAX_WAIT).build();
    }
}
