package dev.windrow.local;

import java.net.URI;
import java.util.concurrent.TimeUnit;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsAsyncClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** SDK clients of the embedded servers, which accept any region and any credentials. */
final class LocalClients implements AutoCloseable {

    /** Region that clients and the command line should name. */
    static final Region REGION = Region.US_EAST_1;

    /** Access key and secret: anything will do. DynamoDB Local takes letters and digits only. */
    static final String CREDENTIAL = "windrow";

    private static final int THREADS = 2;

    private final NioEventLoopGroup threads;
    private final SdkAsyncHttpClient http;
    private final DynamoDbAsyncClient dynamoDb;
    private final SqsAsyncClient sqs;

    LocalClients(URI dynamoDbEndpoint, URI sqsEndpoint) {
        // Threads of our own: the SDK takes two seconds to stop its own, which every test class would wait for.
        threads = new NioEventLoopGroup(THREADS, new DefaultThreadFactory("local-aws-client", true));
        http = NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(threads, NioSocketChannel::new))
                .build();
        dynamoDb = configured(DynamoDbAsyncClient.builder(), dynamoDbEndpoint, http).build();
        sqs = configured(SqsAsyncClient.builder(), sqsEndpoint, http).build();
    }

    /** Where a server that listens on this address can be reached from this machine. */
    static URI endpoint(String host, int port) {
        return URI.create("http://" + reachable(host) + ":" + port);
    }

    DynamoDbAsyncClient dynamoDb() {
        return dynamoDb;
    }

    SqsAsyncClient sqs() {
        return sqs;
    }

    @Override
    public void close() {
        dynamoDb.close();
        sqs.close();
        http.close();
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** @param http is not closed with the client */
    static <B extends AwsClientBuilder<B, C> & AwsAsyncClientBuilder<B, C>, C> B configured(B builder, URI endpoint,
            SdkAsyncHttpClient http) {
        return builder.endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(CREDENTIAL, CREDENTIAL)))
                .httpClient(http);
    }

    /** An address to listen on is not always one to connect to. */
    private static String reachable(String host) {
        if (host.equals("0.0.0.0") || host.equals("::")) {
            return LocalAwsOptions.LOOPBACK;
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }
}
