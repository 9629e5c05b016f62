package dev.windrow.local;

import java.net.URI;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** SDK clients of the embedded servers, which accept any region and any credentials. */
final class LocalClients {

    /** Region that clients and the command line should name. */
    static final Region REGION = Region.US_EAST_1;

    /** Access key and secret: anything will do. DynamoDB Local takes letters and digits only. */
    static final String CREDENTIAL = "windrow";

    private LocalClients() {
    }

    static URI endpoint(String host, int port) {
        return URI.create("http://" + reachable(host) + ":" + port);
    }

    static DynamoDbAsyncClient dynamoDb(URI endpoint) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(credentials())
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .build();
    }

    static SqsAsyncClient sqs(URI endpoint) {
        return SqsAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(credentials())
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .build();
    }

    /** An address to listen on is not always one to connect to. */
    private static String reachable(String host) {
        if (host.equals("0.0.0.0") || host.equals("::")) {
            return LocalAwsOptions.LOOPBACK;
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private static StaticCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(CREDENTIAL, CREDENTIAL));
    }
}
