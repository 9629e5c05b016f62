package dev.windrow.writer.operate;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.AwsErrors;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The item of the registered datasets, or another item under the same partition key. */
record RegistryItem(DynamoDbAsyncClient dynamoDb, String table, String sortKey) {

    private Map<String, AttributeValue> key() {
        return JournalItems.key(TableSchema.DATASETS_PK, sortKey);
    }

    Map<String, AttributeValue> read() {
        return AwsErrors.join(dynamoDb.getItem(get -> get.tableName(table).key(key()).consistentRead(true))).item();
    }

    /** @param condition null for none */
    void update(String expression, @Nullable String condition, Map<String, String> names,
            Map<String, AttributeValue> values) {
        Supplier<CompletableFuture<UpdateItemResponse>> request = () -> dynamoDb.updateItem(update -> update
                .tableName(table).key(key()).updateExpression(expression).conditionExpression(condition)
                .expressionAttributeNames(names).expressionAttributeValues(values.isEmpty() ? null : values));
        if (condition == null) {
            new RepeatedRequests(table, CommandTime.SYSTEM).repeated(request);
        } else {
            // Its own first attempt may have arrived, and would make the second fail.
            AwsErrors.join(request.get());
        }
    }
}
