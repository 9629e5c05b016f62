package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** What Windrow needs of DynamoDB, and this embedded one must therefore have. */
class DynamoDbLocalTest {

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    private String table = "";

    @BeforeEach
    void createTable(TestInfo test) {
        table = test.getTestMethod().orElseThrow().getName();
        aws.createTable(table);
    }

    @Test
    void addsToAnItemAndFindsItInTheIndexInSortOrder() {
        for (String minute : List.of("10:32", "10:30", "10:31", "10:30")) {
            dynamoDb().updateItem(request -> request.tableName(table)
                    .key(key("label", minute))
                    .updateExpression("SET ipk = :ipk, isk = :isk ADD m_events :one")
                    .expressionAttributeValues(Map.of(":ipk", text("shard"), ":isk", text(minute), ":one", number(1))))
                    .join();
        }

        List<Map<String, AttributeValue>> found = dynamoDb().query(request -> request.tableName(table).indexName("scatter")
                .keyConditionExpression("ipk = :ipk AND isk < :end")
                .expressionAttributeValues(Map.of(":ipk", text("shard"), ":end", text("10:32")))).join().items();

        assertThat(found).extracting(item -> item.get("isk").s()).containsExactly("10:30", "10:31");
        assertThat(found).extracting(item -> item.get("m_events").n()).containsExactly("2", "1");
    }

    @Test
    void keepsThirtyEightDigits() {
        String digits = "12345678901234567890123456789012345678";
        dynamoDb().updateItem(request -> request.tableName(table).key(key("label", "sum"))
                .updateExpression("ADD m_sum :value")
                .expressionAttributeValues(Map.of(":value", AttributeValue.fromN(digits)))).join();

        assertThat(item("label", "sum").get("m_sum").n()).isEqualTo(digits);
    }

    @Test
    void keepsItemsWithoutIndexKeysOutOfTheIndex() {
        dynamoDb().putItem(request -> request.tableName(table).item(key("label", "~slot"))).join();

        assertThat(dynamoDb().scan(request -> request.tableName(table).indexName("scatter")).join().items()).isEmpty();
    }

    @Test
    void appliesATransactionOnceAndReturnsTheSlotsIdsWhenItComesAgain() {
        // Given a transaction applied
        dynamoDb().transactWriteItems(slotAnd("id-1")).join();

        // When it comes again
        assertThatThrownBy(() -> dynamoDb().transactWriteItems(slotAnd("id-1")).join())
                .isInstanceOf(CompletionException.class).cause()
                // Then it is refused with the slot as it was
                .isInstanceOfSatisfying(TransactionCanceledException.class, refused -> {
                    assertThat(refused.cancellationReasons()).extracting(reason -> reason.code())
                            .containsExactly("ConditionalCheckFailed", "None");
                    assertThat(refused.cancellationReasons().get(0).item().get("ids").bs()).containsExactly(bytes("id-1"));
                });
        // And nothing of it was applied twice, while another id is
        assertThat(item("label", "bucket").get("m_events").n()).isEqualTo("1");
        dynamoDb().transactWriteItems(slotAnd("id-2")).join();
        assertThat(item("label", "bucket").get("m_events").n()).isEqualTo("2");
        assertThat(item("label", "~slot").get("ids").bs()).containsExactlyInAnyOrder(bytes("id-1"), bytes("id-2"));
    }

    private TransactWriteItemsRequest slotAnd(String id) {
        Update slot = Update.builder().tableName(table).key(key("label", "~slot"))
                .updateExpression("ADD ids :new SET #ttl = :ttl")
                .conditionExpression("NOT contains(ids, :id)")
                .expressionAttributeNames(Map.of("#ttl", "ttl"))
                .expressionAttributeValues(Map.of(":new", AttributeValue.fromBs(List.of(bytes(id))),
                        ":id", AttributeValue.fromB(bytes(id)), ":ttl", number(4_102_444_800L)))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        Update bucket = Update.builder().tableName(table).key(key("label", "bucket"))
                .updateExpression("ADD m_events :one")
                .expressionAttributeValues(Map.of(":one", number(1)))
                .build();
        return TransactWriteItemsRequest.builder().transactItems(TransactWriteItem.builder().update(slot).build(),
                TransactWriteItem.builder().update(bucket).build()).build();
    }

    private Map<String, AttributeValue> item(String pk, String sk) {
        return dynamoDb().getItem(request -> request.tableName(table).key(key(pk, sk)).consistentRead(true)).join().item();
    }

    private static DynamoDbAsyncClient dynamoDb() {
        return aws.dynamoDb();
    }

    private static Map<String, AttributeValue> key(String pk, String sk) {
        return Map.of("pk", text(pk), "sk", text(sk));
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    /** Eight bytes, as slots keep them. */
    private static SdkBytes bytes(String id) {
        return SdkBytes.fromByteArray(ByteBuffer.allocate(Long.BYTES).putLong(id.hashCode()).array());
    }
}
