package dev.windrow.gather.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Leaderboards that are declared for a dataset with data, and the effects of the writer's command on the table. */
final class LateRank {

    private final DynamoDbAsyncClient client;
    private final String table;

    LateRank(DynamoDbAsyncClient client, String table) {
        this.client = client;
        this.table = table;
    }

    void markComplete(Dataset dataset) {
        mark(dataset, Rank.lines(dataset.ranks()));
    }

    void markIncomplete(Dataset dataset) {
        mark(dataset, "");
    }

    /** Puts all items of a dataset into its leaderboards, then registers these as complete. */
    void complete(Dataset dataset) {
        for (Map<String, AttributeValue> key : keys(dataset)) {
            BucketKey bucket = BucketKey.ofTableKeys(key.get(TableSchema.PK).s(), key.get(TableSchema.SK).s());
            Map<String, AttributeValue> attributes = StoredItems.rankAttributes(dataset, bucket);
            if (!attributes.isEmpty()) {
                Map<String, AttributeValue> values = new HashMap<>();
                attributes.forEach((name, value) -> values.put(":" + name, value));
                client.updateItem(update -> update.tableName(table).key(key)
                        .updateExpression("SET " + attributes.keySet().stream().map(name -> name + " = :" + name)
                                .collect(Collectors.joining(", ")))
                        .expressionAttributeValues(values)).join();
            }
        }
        markComplete(dataset);
    }

    private List<Map<String, AttributeValue>> keys(Dataset dataset) {
        List<Map<String, AttributeValue>> keys = new ArrayList<>();
        client.scanPaginator(scan -> scan.tableName(table).projectionExpression("pk, sk")).items().subscribe(key -> {
            List<String> parts = KeyCodec.decode(key.get(TableSchema.PK).s());
            if (parts.size() > 1 && parts.get(1).equals(dataset.name())) {
                keys.add(key);
            }
        }).join();
        return keys;
    }

    private void mark(Dataset dataset, String lines) {
        client.updateItem(update -> update.tableName(table)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression("SET #ranks = :lines")
                .expressionAttributeNames(Map.of("#ranks", TableSchema.rankedAttribute(dataset.name())))
                .expressionAttributeValues(Map.of(":lines", AttributeValue.fromS(lines)))).join();
    }
}
