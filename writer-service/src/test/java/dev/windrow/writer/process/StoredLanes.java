package dev.windrow.writer.process;

import java.util.List;
import java.util.Map;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads what a table's lanes have claimed and applied. */
final class StoredLanes {

    private StoredLanes() {
    }

    /** Whether everything that was claimed is in its buckets; so it is if there are no lanes. */
    static boolean areApplied(DynamoDbAsyncClient dynamoDb, String table) {
        for (int lane = 0;; lane++) {
            String key = TableSchema.lanePartitionKey(lane);
            Map<String, AttributeValue> item = dynamoDb.getItem(get -> get.tableName(table).consistentRead(true)
                    .key(JournalItems.key(key, TableSchema.LANE_SK)))
                    .join().item();
            if (item.isEmpty()) {
                return true;
            }
            List<String> positions = List.of(item.get("position").n(), item.get("applied").n());
            if (!positions.get(0).equals(positions.get(1))) {
                return false;
            }
        }
    }
}
