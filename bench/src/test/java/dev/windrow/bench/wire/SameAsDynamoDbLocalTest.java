package dev.windrow.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.junit.jupiter.api.Test;

import dev.windrow.bench.wire.DynamoDbServer.Options;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The table in memory answers as DynamoDB Local does: the same random requests to both, every answer compared. */
class SameAsDynamoDbLocalTest {

    private static final int WRITES = 120;
    private static final String INDEXED = " SET ipk = if_not_exists(ipk, :ipk), isk = :isk";

    private final RandomGenerator random = random();

    private static RandomGenerator random() {
        long seed = Long.getLong("windrow.seed", System.nanoTime());
        System.out.println("SameAsDynamoDbLocalTest: -Dwindrow.seed=" + seed);
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(seed);
    }

    @Test
    void randomWritesAndReadsHaveTheSameAnswersAndTheSameItems() {
        // Given
        Vertx vertx = Vertx.vertx();
        try (LocalAws local = LocalAws.start(LocalAwsOptions.forTests());
                DynamoDbServer memory = DynamoDbServer.start(vertx, Options.unlimited());
                ForwardingServer forwarding = ForwardingServer.start(vertx, local.dynamoDbEndpoint(), Options.unlimited());
                DynamoDbClient one = client(memory.endpoint());
                DynamoDbClient other = client(forwarding.endpoint())) {
            // When, Then: each write
            for (int i = 0; i < WRITES; i++) {
                if (random.nextInt(3) == 0) {
                    List<TransactWriteItem> items = transaction();
                    assertThat(transact(one, items)).as("transaction %s", items).isEqualTo(transact(other, items));
                } else {
                    UpdateItemRequest request = update();
                    assertThat(update(one, request)).as("%s", request).isEqualTo(update(other, request));
                }
            }
            // And every item by each way of reading
            for (int i = 0; i < 40; i++) {
                QueryRequest query = query();
                QueryResponse expected = other.query(query);
                QueryResponse found = one.query(query);
                assertThat(found.items().stream().map(SameAsDynamoDbLocalTest::normal))
                        .as("%s", query)
                        .containsExactlyElementsOf(expected.items().stream().map(SameAsDynamoDbLocalTest::normal).toList());
                assertThat(found.scannedCount()).as("%s", query).isEqualTo(expected.scannedCount());
            }
            assertThat(forwarding.disagreements()).isZero();
            assertThat(forwarding.meter().read().writes()).isEqualTo(memory.meter().read().writes()).isPositive();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static DynamoDbClient client(URI endpoint) {
        return DynamoDbClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .httpClientBuilder(ApacheHttpClient.builder()).build();
    }

    private Map<String, AttributeValue> key() {
        return Map.of("pk", AttributeValue.fromS("p" + random.nextInt(3)), "sk",
                AttributeValue.fromS("minute#" + random.nextInt(10)));
    }

    private UpdateItemRequest update() {
        Map<String, AttributeValue> key = key();
        Map<String, AttributeValue> values = new HashMap<>();
        UpdateItemRequest.Builder request = UpdateItemRequest.builder().tableName("windrow").key(key)
                .returnValues("ALL_NEW");
        String number = new BigDecimal(random.nextLong(-1_000_000, 1_000_000)).movePointLeft(random.nextInt(6))
                .toPlainString();
        values.put(":n", AttributeValue.fromN(number));
        switch (random.nextInt(4)) {
            case 0 -> {
                request.updateExpression("ADD m_events :n" + INDEXED);
                index(key, values);
            }
            case 1 -> request.updateExpression("SET m_largest = :n")
                    .conditionExpression("attribute_not_exists(m_largest) OR m_largest < :n");
            case 2 -> request.updateExpression("SET m_events = if_not_exists(m_events, :n) - :n REMOVE m_largest");
            default -> request.updateExpression("ADD #e :n").expressionAttributeNames(Map.of("#e", "m_events"))
                    .conditionExpression("NOT attribute_exists(m_largest) AND #e BETWEEN :n AND :n OR #e > :n");
        }
        return request.expressionAttributeValues(values).build();
    }

    private void index(Map<String, AttributeValue> key, Map<String, AttributeValue> values) {
        values.put(":ipk", AttributeValue.fromS("shard" + random.nextInt(2)));
        values.put(":isk", AttributeValue.fromS(key.get("sk").s() + key.get("pk").s()));
    }

    private List<TransactWriteItem> transaction() {
        Map<String, AttributeValue> slot = Map.of("pk", AttributeValue.fromS("p" + random.nextInt(3)), "sk",
                AttributeValue.fromS("~#" + random.nextInt(2)));
        AttributeValue id = AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] { (byte) random.nextInt(40) }));
        AttributeValue ids = AttributeValue.fromBs(List.of(id.b()));
        Update ledger = Update.builder().tableName("windrow").key(slot).updateExpression("ADD ids :ids")
                .conditionExpression("NOT contains(ids, :id)").returnValuesOnConditionCheckFailure("ALL_OLD")
                .expressionAttributeValues(Map.of(":ids", ids, ":id", id)).build();
        Update bucket = Update.builder().tableName("windrow").key(key()).updateExpression("ADD m_events :n")
                .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("1"))).build();
        return List.of(TransactWriteItem.builder().update(ledger).build(), TransactWriteItem.builder().update(bucket).build());
    }

    private QueryRequest query() {
        QueryRequest.Builder query = QueryRequest.builder().tableName("windrow").scanIndexForward(random.nextBoolean());
        Map<String, AttributeValue> values = new HashMap<>();
        if (random.nextBoolean()) {
            values.put(":p", AttributeValue.fromS("p" + random.nextInt(3)));
            values.put(":a", AttributeValue.fromS("minute#" + random.nextInt(10)));
            List<String> ranges = List.of(" AND sk >= :a", " AND sk < :a", " AND begins_with(sk, :a)", " AND sk = :a");
            query.keyConditionExpression("pk = :p" + ranges.get(random.nextInt(ranges.size())));
        } else {
            values.put(":p", AttributeValue.fromS("shard" + random.nextInt(2)));
            values.put(":a", AttributeValue.fromS("minute#" + random.nextInt(5)));
            values.put(":b", AttributeValue.fromS("minute#" + random.nextInt(5, 10)));
            query.indexName("scatter").keyConditionExpression("ipk = :p AND isk BETWEEN :a AND :b")
                    .projectionExpression("isk, m_events");
        }
        if (random.nextBoolean()) {
            query.limit(random.nextInt(1, 6));
        }
        return query.expressionAttributeValues(values).build();
    }

    private static String update(DynamoDbClient client, UpdateItemRequest request) {
        try {
            return normal(client.updateItem(request).attributes()).toString();
        } catch (DynamoDbException e) {
            return e.awsErrorDetails().errorCode();
        }
    }

    /** DynamoDB Local keeps trailing zeros that the service drops; the order of attributes means nothing. */
    private static Map<String, Object> normal(Map<String, AttributeValue> item) {
        Map<String, Object> normal = new TreeMap<>();
        item.forEach((name, value) -> normal.put(name,
                value.n() == null ? value : new BigDecimal(value.n()).stripTrailingZeros().toPlainString()));
        return normal;
    }

    private static String transact(DynamoDbClient client, List<TransactWriteItem> items) {
        try {
            client.transactWriteItems(request -> request.transactItems(items));
            return "applied";
        } catch (TransactionCanceledException e) {
            List<String> reasons = new ArrayList<>();
            e.cancellationReasons().forEach(reason -> reasons.add(reason.code() + reason.item().keySet()));
            return reasons.toString();
        }
    }
}
