import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.management.OperatingSystemMXBean;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Processor time of this JVM, user and system, for one small UpdateItem. Arguments: netty or crt, the endpoint, the
 * number of requests to measure. As many again go before, so that the code is compiled. Prints microseconds a request.
 */
public class HttpClientCost {

    private static final int CONCURRENCY = 64;
    private static final String TABLE = "windrow";

    public static void main(String[] arguments) throws Exception {
        int requests = Integer.parseInt(arguments[2]);
        SdkAsyncHttpClient http = switch (arguments[0]) {
            case "netty" -> NettyNioAsyncHttpClient.builder().maxConcurrency(CONCURRENCY).build();
            case "crt" -> AwsCrtAsyncHttpClient.builder().maxConcurrency(CONCURRENCY).build();
            default -> throw new IllegalArgumentException("expected netty or crt, found " + arguments[0]);
        };
        try (DynamoDbAsyncClient dynamoDb = DynamoDbAsyncClient.builder().httpClient(http)
                .endpointOverride(URI.create(arguments[1])).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .build()) {
            run(dynamoDb, requests);
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long processor = system.getProcessCpuTime();
            long wall = System.nanoTime();
            run(dynamoDb, requests);
            processor = system.getProcessCpuTime() - processor;
            wall = System.nanoTime() - wall;
            System.out.printf("%s: %d us of processor time a request, %d requests/s%n", arguments[0],
                    processor / 1_000 / requests, requests * 1_000_000_000L / wall);
        }
        http.close();
        System.exit(0);
    }

    private static void run(DynamoDbAsyncClient dynamoDb, int requests) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(requests);
        CountDownLatch done = new CountDownLatch(CONCURRENCY);
        for (int lane = 0; lane < CONCURRENCY; lane++) {
            next(dynamoDb, lane, left, done);
        }
        done.await();
    }

    private static void next(DynamoDbAsyncClient dynamoDb, int lane, AtomicInteger left, CountDownLatch done) {
        if (left.getAndDecrement() <= 0) {
            done.countDown();
            return;
        }
        dynamoDb.updateItem(request -> request.tableName(TABLE)
                .key(Map.of("pk", AttributeValue.fromS("cost#" + lane), "sk", AttributeValue.fromS("minute#2026-11-20T10:31:00Z")))
                .updateExpression("SET ipk = :ipk, isk = :isk ADD m_events :one, m_bytes :bytes")
                .expressionAttributeValues(Map.of(":ipk", AttributeValue.fromS("cost#minute#" + lane % 10),
                        ":isk", AttributeValue.fromS("2026-11-20T10:31:00Z#" + lane),
                        ":one", AttributeValue.fromN("1"), ":bytes", AttributeValue.fromN("5120"))))
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        failure.printStackTrace();
                        System.exit(1);
                    }
                    next(dynamoDb, lane, left, done);
                });
    }
}
