package dev.windrow.writer.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** All items of a small table, read and replaced as by somebody who empties or restores it. */
public final class Items {

    private static final int BATCH = 25;

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
        write(buckets().stream().map(item -> WriteRequest.builder().deleteRequest(delete -> delete.key(Map.of(TableSchema.PK,
                item.get(TableSchema.PK), TableSchema.SK, item.get(TableSchema.SK)))).build()).toList());
        put(buckets);
    }

    public void put(Collection<Map<String, AttributeValue>> items) {
        write(items.stream().map(item -> WriteRequest.builder().putRequest(put -> put.item(item)).build()).toList());
    }

    /** As many to a request as it takes. */
    private void write(List<WriteRequest> requests) {
        for (int from = 0; from < requests.size(); from += BATCH) {
            List<WriteRequest> batch = requests.subList(from, Math.min(requests.size(), from + BATCH));
            assertThat(dynamoDb.batchWriteItem(write -> write.requestItems(Map.of(table, batch))).join().unprocessedItems())
                    .isEmpty();
        }
    }
}
