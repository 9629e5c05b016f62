package dev.windrow.bench.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What the SDK sees of the server, and what the server counts. */
class DynamoDbServerTest {

    private final Vertx vertx = Vertx.vertx();
    private final DynamoDbServer server = new DynamoDbServer(vertx);
    private final DynamoDbClient client = client(server.endpoint());

    private static DynamoDbClient client(URI endpoint) {
        return DynamoDbClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .httpClientBuilder(AwsCrtHttpClient.builder()).build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void writesOfAWriterCostWhatDynamoDbLocalSaysTheyConsume() {
        try (LocalAws local = LocalAws.start(LocalAwsOptions.forTests());
                DynamoDbServer counting = new DynamoDbServer(vertx);
                DynamoDbClient real = client(local.dynamoDbEndpoint());
                DynamoDbClient modeled = client(counting.endpoint())) {
            double expected = 0;
            // When: upserts of a new bucket and of an old one, and of one with a label of several KB of UTF-8 in its index key
            for (UpdateItemRequest request : List.of(upsert("a", "shard", "x"), upsert("a", "shard", "x"),
                    upsert("b", "shard", "ä".repeat(500)), upsert("b".repeat(1_100), "shard", "x"), ledger("a", 0, 100),
                    ledger("a", 100, 100), ledger("a", 200, 3))) {
                expected += real.updateItem(request).consumedCapacity().capacityUnits();
                modeled.updateItem(request);
            }
            // Then
            Meter.Reading counted = counting.table().meter().read();
            assertThat(counted.writeUnits()).isEqualTo(expected).isGreaterThan(7);
            assertThat(counted.minutes()).isEqualTo(4);
        }
    }

    @Test
    void aTransactionCostsTheTableTwiceAndTheIndexOnce() {
        client.transactWriteItems(request -> request.transactItems(transactional(upsert("a", "shard", "x")),
                transactional(ledger("b", 0, 40))));
        assertThat(server.table().meter().read().writeUnits()).isEqualTo(2 + 1 + 2);
    }

    @Test
    void aSlotThatHoldsAnIdRefusesTheClaimGivesTheItemBackAndCostsAsMuch() {
        try (DynamoDbServer table = new DynamoDbServer(vertx); DynamoDbClient unlimited = client(table.endpoint())) {
            // Given
            unlimited.transactWriteItems(request -> request.transactItems(claim("lane", 1), claim("slot", 7)));
            // When, Then
            assertThatExceptionOfType(TransactionCanceledException.class).isThrownBy(
                    () -> unlimited.transactWriteItems(request -> request.transactItems(claim("lane", 2), claim("slot", 7))))
                    .satisfies(e -> {
                        assertThat(e.cancellationReasons()).extracting("code").containsExactly("None",
                                "ConditionalCheckFailed");
                        assertThat(e.cancellationReasons().get(1).item().get("ids").bs()).containsExactly(id(7));
                    });
            Meter.Reading counted = table.table().meter().read();
            assertThat(counted.writeUnits()).isEqualTo(2 * 2 + 2 * 2);
            assertThat(table.table().get(new ItemKey("lane", "~#slot")).at("/ids/BS")).hasSize(1);
        }
    }

    @Test
    void positionsAndExtremesAreAppliedOnce() {
        // Given: one update of a lane's first record
        client.updateItem(sums(1, 1));
        // When: a copy arrives, and then the next
        assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> client.updateItem(sums(1, 1)))
                .satisfies(e -> assertThat(e.item().get("j0").n()).isEqualTo("1"));
        client.updateItem(sums(2, 3));
        // Then
        Map<String, AttributeValue> item = client.getItem(request -> request.tableName("windrow").key(key("a", "minute"))
                .consistentRead(true)).item();
        assertThat(item).containsEntry("j0", AttributeValue.fromN("3")).containsEntry("m_events", AttributeValue.fromN("20"));
        assertThat(client.getItem(request -> request.tableName("windrow").key(key("a", "hour"))).hasItem()).isFalse();
    }

    @Test
    void transactionsThatMeetOnAnItemConflictUntilTheFirstIsAnswered() {
        try (DynamoDbServer table = new DynamoDbServer(vertx); DynamoDbClient unlimited = client(table.endpoint())) {
            // Given: a transaction under way
            table.setLatency(() -> Duration.ofMillis(300));
            CompletableFuture<?> first = CompletableFuture.runAsync(
                    () -> unlimited.transactWriteItems(request -> request.transactItems(claim("a", 1), claim("b", 1))));
            Awaitility.await().until(() -> table.table().items().containsKey(new ItemKey("a", "~#slot")));
            table.setLatency(() -> Duration.ZERO);
            // When, Then
            assertThatExceptionOfType(TransactionCanceledException.class).isThrownBy(
                    () -> unlimited.transactWriteItems(request -> request.transactItems(claim("b", 2), claim("c", 2))))
                    .satisfies(e -> assertThat(e.cancellationReasons()).extracting("code")
                            .containsExactly("TransactionConflict", "None"));
            // And once it is answered
            first.join();
            unlimited.transactWriteItems(request -> request.transactItems(claim("b", 2), claim("c", 2)));
        }
    }

    @Test
    void formsThatTheWriterDoesNotSendAreRefused() {
        for (String update : List.of("SET a = a + :ttl", "DELETE ids :ids", "SET a = list_append(a, :ttl)", "ADD a")) {
            assertThatExceptionOfType(DynamoDbException.class).as(update).isThrownBy(() -> client.updateItem(
                    ledger("a", 0, 1).toBuilder().updateExpression(update).build())).withMessageContaining("expression");
        }
        for (String condition : List.of("begins_with(ids, :id)", "a BETWEEN :ttl AND :ttl", "a <> :ttl", "a.b = :ttl")) {
            assertThatExceptionOfType(DynamoDbException.class).as(condition).isThrownBy(() -> client.updateItem(
                    ledger("a", 0, 1).toBuilder().conditionExpression(condition).build())).withMessageContaining("expression");
        }
        assertThat(server.table().items()).isEmpty();
    }

    @Test
    void queriesOfARecordedPartitionArePagedAndProjectedAndCostWhatIsRead() {
        // Given: 8 items of 1,023 bytes each
        server.record("default#clicks#minute#7", 8, i -> item(i));
        // When
        QueryResponse first = query("default#clicks#minute#7", r -> r.limit(5).projectionExpression("#0,#1")
                .expressionAttributeNames(Map.of("#0", "isk", "#1", "m_events")).returnConsumedCapacity("TOTAL"));
        QueryResponse second = query("default#clicks#minute#7", r -> r.exclusiveStartKey(first.lastEvaluatedKey()));
        QueryResponse consistent = query("default#clicks#minute#7", r -> r.consistentRead(true));
        // Then
        assertThat(first.items()).hasSize(5).last()
                .isEqualTo(Map.of("isk", AttributeValue.fromS("4"), "m_events", AttributeValue.fromN("4")));
        assertThat(first.consumedCapacity().capacityUnits()).as("two begun 4 KB").isEqualTo(1);
        assertThat(second.items()).hasSize(3).allSatisfy(item -> assertThat(item).hasSize(4));
        assertThat(second.hasLastEvaluatedKey()).isFalse();
        assertThat(consistent.items()).hasSize(8);
        assertThatExceptionOfType(DynamoDbException.class).isThrownBy(() -> query("default#clicks#minute#7",
                r -> r.filterExpression("begins_with(pk, :p)"))).withMessageContaining("FilterExpression");
        assertThat(query("default#clicks#minute#8", r -> {
        }).items()).isEmpty();
        Meter.Reading counted = server.table().meter().read();
        assertThat(counted.readUnits()).as("8 of two pages, 2 consistent, none").isEqualTo(1 + 0.5 + 2 + 0.5);
    }

    private static ObjectNode item(int number) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        item.set("isk", Values.text("" + number));
        item.set("pk", Values.text("p" + number % 2));
        item.set("m_events", Values.number(number));
        return item.set("rest", Values.text("x".repeat(1_000)));
    }

    private QueryResponse query(String partition, Consumer<QueryRequest.Builder> more) {
        return client.query(request -> more.accept(request.tableName("windrow").indexName("scatter")
                .keyConditionExpression("ipk = :p")
                .expressionAttributeValues(Map.of(":p", AttributeValue.fromS(partition)))));
    }

    @Test
    void queriesOfATablePartitionReadWhatIsInItsRangeNow() {
        // Given
        QueryRequest request = QueryRequest.builder().tableName("windrow")
                .keyConditionExpression("pk = :p AND #0 BETWEEN :from AND :to").expressionAttributeNames(Map.of("#0", "sk"))
                .expressionAttributeValues(Map.of(":p", AttributeValue.fromS("a"), ":from", AttributeValue.fromS("minute#1"),
                        ":to", AttributeValue.fromS("minute#3")))
                .projectionExpression("#0").build();
        assertThat(client.query(request).items()).isEmpty();
        // When
        for (ItemKey key : List.of(new ItemKey("a", "minute#3"), new ItemKey("a", "minute#1"), new ItemKey("a", "minute#0"),
                new ItemKey("a", "minute#4"), new ItemKey("b", "minute#2"))) {
            ObjectNode item = JsonNodeFactory.instance.objectNode();
            item.set("pk", Values.text(key.partition()));
            server.table().items().put(key, item.set("sk", Values.text(key.sort())));
        }
        // Then
        assertThat(client.query(request).items()).containsExactly(Map.of("sk", AttributeValue.fromS("minute#1")),
                Map.of("sk", AttributeValue.fromS("minute#3")));
    }

    @Test
    void singleItemsAreReadInBatchesAndCostAUnitEach() {
        // Given
        server.table().items().put(new ItemKey("a", "s"),
                JsonNodeFactory.instance.objectNode().set("m_events", Values.number(5)));
        // When
        BatchGetItemResponse found = client.batchGetItem(request -> request.requestItems(Map.of("windrow",
                KeysAndAttributes.builder().keys(List.of(key("a", "s"), key("b", "s"))).consistentRead(true).build())));
        // Then
        assertThat(found.responses().get("windrow")).isEqualTo(List.of(Map.of("m_events", AttributeValue.fromN("5"))));
        assertThat(server.table().meter().read().readUnits()).isEqualTo(2);
    }

    @Test
    void theTableIsDescribedAsServicesExpectItAndUnknownOperationsAreRefusedByName() {
        assertThat(client.describeTable(r -> r.tableName("windrow")).table().globalSecondaryIndexes().get(0).indexName())
                .isEqualTo("scatter");
        assertThatExceptionOfType(DynamoDbException.class).isThrownBy(() -> client.scan(r -> r.tableName("windrow")))
                .withMessageContaining("Scan");
    }

    private static Map<String, AttributeValue> key(String partition, String sort) {
        return Map.of("pk", AttributeValue.fromS(partition), "sk", AttributeValue.fromS(sort));
    }

    private static UpdateItemRequest upsert(String partition, String shard, String indexSort) {
        return UpdateItemRequest.builder().tableName("windrow").key(key(partition, "minute"))
                .updateExpression("SET ipk = if_not_exists(ipk, :ipk), isk = if_not_exists(isk, :isk) ADD #m0 :m0, #m1 :m1")
                .expressionAttributeNames(Map.of("#m0", "m_events", "#m1", "m_bytes"))
                .expressionAttributeValues(Map.of(":m0", AttributeValue.fromN("1"), ":m1", AttributeValue.fromN("12.5"),
                        ":ipk", AttributeValue.fromS(shard), ":isk", AttributeValue.fromS(indexSort)))
                .returnConsumedCapacity("INDEXES").build();
    }

    /** Notes ids of 8 bytes, under the condition that one of them is not there. */
    private static UpdateItemRequest ledger(String partition, int first, int count) {
        List<SdkBytes> ids = IntStream.range(first, first + count)
                .mapToObj(id -> SdkBytes.fromByteArray(ByteBuffer.allocate(8).putLong(id).array())).toList();
        return UpdateItemRequest.builder().tableName("windrow").key(key(partition, "~#slot"))
                .updateExpression("SET #ttl = :ttl ADD ids :ids").conditionExpression("NOT contains(ids, :id)")
                .expressionAttributeNames(Map.of("#ttl", "ttl"))
                .expressionAttributeValues(
                        Map.of(":ttl", AttributeValue.fromN("1790000000"), ":ids", AttributeValue.fromBs(ids),
                                ":id", AttributeValue.fromB(ids.get(0))))
                .returnConsumedCapacity("INDEXES").build();
    }

    private static SdkBytes id(long id) {
        return SdkBytes.fromByteArray(ByteBuffer.allocate(8).putLong(id).array());
    }

    /** Claims an id in a slot, as the journal does. */
    private static TransactWriteItem claim(String partition, int id) {
        return TransactWriteItem.builder().update(update -> update.tableName("windrow").key(key(partition, "~#slot"))
                .updateExpression("ADD #0 :0")
                .conditionExpression(
                        "(attribute_not_exists(#0) OR (attribute_type(#0,:3) AND size(#0) < :1)) AND NOT (contains(#0,:2))")
                .expressionAttributeNames(Map.of("#0", "ids"))
                .expressionAttributeValues(Map.of(":0", AttributeValue.fromBs(List.of(id(id))), ":1",
                        AttributeValue.fromN("1000"), ":2", AttributeValue.fromB(id(id)), ":3", AttributeValue.fromS("BS")))
                .returnValuesOnConditionCheckFailure("ALL_OLD")).build();
    }

    /** Adds ten, provided that the lane's position is below the first. */
    private static UpdateItemRequest sums(int first, int last) {
        return UpdateItemRequest.builder().tableName("windrow").key(key("a", "minute"))
                .updateExpression("SET #0 = :0 ADD #1 :1")
                .conditionExpression("(attribute_not_exists(#0) OR #0 < :2)")
                .expressionAttributeNames(Map.of("#0", "j0", "#1", "m_events"))
                .expressionAttributeValues(Map.of(":0", AttributeValue.fromN("" + last), ":1", AttributeValue.fromN("10"),
                        ":2", AttributeValue.fromN("" + first)))
                .returnValuesOnConditionCheckFailure("ALL_OLD").build();
    }

    private static TransactWriteItem transactional(UpdateItemRequest update) {
        return TransactWriteItem.builder()
                .update(Update.builder().tableName(update.tableName()).key(update.key())
                        .updateExpression(update.updateExpression()).conditionExpression(update.conditionExpression())
                        .expressionAttributeNames(update.expressionAttributeNames())
                        .expressionAttributeValues(update.expressionAttributeValues()).build())
                .build();
    }
}
