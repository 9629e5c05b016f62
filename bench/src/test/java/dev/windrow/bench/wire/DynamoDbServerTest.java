package dev.windrow.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.wire.DynamoDbServer.Options;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** What the SDK sees of the server with the partition model. */
class DynamoDbServerTest {

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong time = new AtomicLong();
    private final DynamoDbServer server = DynamoDbServer.start(vertx,
            Options.modelled(new CapacityLimits(3, 1, Duration.ZERO, Duration.ZERO), time::get, 10));
    private final DynamoDbClient client = DynamoDbClient.builder().endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
            .httpClientBuilder(ApacheHttpClient.builder()).build();

    @AfterEach
    void stop() {
        client.close();
        server.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void consumedCapacityNamesTableAndIndex() {
        ConsumedCapacity inserted = add("a", "shard", "x");
        assertThat(inserted.table().capacityUnits()).isEqualTo(1);
        assertThat(inserted.globalSecondaryIndexes().get("scatter").capacityUnits()).isEqualTo(1);
        ConsumedCapacity moved = add("a", "other", "x");
        assertThat(moved.globalSecondaryIndexes().get("scatter").capacityUnits()).as("moved: deleted and put").isEqualTo(2);
        assertThat(moved.capacityUnits()).isEqualTo(3);
    }

    @Test
    void anIndexPartitionOutOfCapacityThrottlesTheTableAndSaysWhich() {
        // Given: three writes of different table keys to one index partition of 3 units/s
        add("a", "shard", "x");
        add("b", "shard", "x");
        add("c", "shard", "x");
        // When, Then
        assertThatExceptionOfType(ProvisionedThroughputExceededException.class).isThrownBy(() -> add("d", "shard", "x"))
                .satisfies(e -> assertThat(e.throttlingReasons().get(0).reason())
                        .isEqualTo("IndexWriteKeyRangeThroughputExceeded"));
        assertThat(server.meter().read().throttled()).isEqualTo(1);
        assertThat(server.audit().entries()).hasSize(6);
        // And a second later it goes on
        time.addAndGet(1_000_000_000L);
        add("d", "shard", "x");
        assertThat(server.items()).isEqualTo(4);
    }

    @Test
    void aThrottledTransactionTellsWhichItemAndAppliesNothing() {
        List<TransactWriteItem> items = List.of(transactional("a"), transactional("b"));
        assertThatExceptionOfType(TransactionCanceledException.class)
                .isThrownBy(() -> {
                    client.transactWriteItems(request -> request.transactItems(items));
                    client.transactWriteItems(request -> request.transactItems(transactional("c"), transactional("b")));
                })
                .satisfies(e -> assertThat(e.cancellationReasons()).extracting("code")
                        .containsExactly("None", "ProvisionedThroughputExceeded"));
        assertThat(server.items()).isEqualTo(2);
        assertThat(server.meter().read().tableUnits()).as("two items, twice each").isEqualTo(4);
    }

    @Test
    void whatTheTableDoesNotKnowIsRefusedByName() {
        assertThatExceptionOfType(DynamoDbException.class).isThrownBy(() -> client.scan(r -> r.tableName("windrow")))
                .withMessageContaining("found Scan");
        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(() -> client.updateItem(r -> r.tableName("windrow").key(key("a"))
                        .updateExpression("DELETE ids :n").expressionAttributeValues(Map.of(":n", AttributeValue.fromN("1")))))
                .withMessageContaining("SET, ADD and REMOVE");
    }

    private static Map<String, AttributeValue> key(String partition) {
        return Map.of("pk", AttributeValue.fromS(partition), "sk", AttributeValue.fromS("s"));
    }

    private ConsumedCapacity add(String partition, String shard, String indexSort) {
        return client.updateItem(request -> request.tableName("windrow").key(key(partition))
                .updateExpression("ADD m_events :n SET ipk = :ipk, isk = :isk")
                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("1"), ":ipk", AttributeValue.fromS(shard), ":isk",
                        AttributeValue.fromS(indexSort)))
                .returnConsumedCapacity("INDEXES")).consumedCapacity();
    }

    private static TransactWriteItem transactional(String partition) {
        return TransactWriteItem.builder().update(Update.builder().tableName("windrow").key(key(partition))
                .updateExpression("ADD m_events :n").expressionAttributeValues(Map.of(":n", AttributeValue.fromN("1"))).build())
                .build();
    }
}
