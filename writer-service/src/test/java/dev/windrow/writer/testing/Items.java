package dev.windrow.writer.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** All items of a small table, read and replaced as by somebody who empties or restores it. */
public final class Items {

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;

    public Items(DynamoDbAsyncClient dynamoDb, String table) {
        this.dynamoDb = dynamoDb;
        this.table = table;
    }

    public List<Map<String, AttributeValue>> all() {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        dynamoDb.scanPaginator(request -> request.tableName(table).consistentRead(true)).items()
                .subscribe(items::add).join();
        return items;
    }

    /** The items of buckets, without those of the journal and the datasets. */
    public List<Map<String, AttributeValue>> buckets() {
        return all().stream().filter(item -> !item.get(TableSchema.PK).s().startsWith("~")).toList();
    }

    /** Has other buckets in place of those that there are. */
    public void replaceBuckets(List<Map<String, AttributeValue>> buckets) {
        for (Map<String, AttributeValue> item : buckets()) {
            Map<String, AttributeValue> key = Map.of(TableSchema.PK, item.get(TableSchema.PK), TableSchema.SK,
                    item.get(TableSchema.SK));
            dynamoDb.deleteItem(request -> request.tableName(table).key(key)).join();
        }
        buckets.forEach(item -> dynamoDb.putItem(request -> request.tableName(table).item(item)).join());
    }
}
