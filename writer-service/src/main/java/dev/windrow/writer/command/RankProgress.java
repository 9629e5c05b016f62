package dev.windrow.writer.command;

import java.util.HashMap;
import java.util.Map;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How far the command that completes leaderboards has come, in an item beside the registered datasets. */
final class RankProgress {

    private static final String SORT_KEY = "rank";
    private static final String RANKS = "ranks";
    private static final String LAST_PK = "last-pk";
    private static final String LAST_SK = "last-sk";

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;
    private final String ranks;

    /** @param ranks the leaderboards to complete; progress with others does not count */
    RankProgress(DynamoDbAsyncClient dynamoDb, String table, String ranks) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.ranks = ranks;
    }

    static Map<String, AttributeValue> key(String sortKey) {
        return Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                AttributeValue.fromS(sortKey));
    }

    /** The key of the last item that was processed; empty if there is none. */
    Map<String, AttributeValue> read() {
        Map<String, AttributeValue> item = CommandClients
                .await(dynamoDb.getItem(get -> get.tableName(table).key(key(SORT_KEY)).consistentRead(true))).item();
        AttributeValue of = item.get(RANKS);
        AttributeValue pk = item.get(LAST_PK);
        AttributeValue sk = item.get(LAST_SK);
        boolean same = of != null && ranks.equals(of.s());
        return same && pk != null && sk != null ? Map.of(TableSchema.PK, pk, TableSchema.SK, sk) : Map.of();
    }

    void keep(Map<String, AttributeValue> last) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":r", AttributeValue.fromS(ranks)));
        values.put(":p", last.get(TableSchema.PK));
        values.put(":s", last.get(TableSchema.SK));
        CommandClients.await(dynamoDb.updateItem(update -> update.tableName(table).key(key(SORT_KEY))
                .updateExpression("SET #r = :r, #p = :p, #s = :s")
                .expressionAttributeNames(Map.of("#r", RANKS, "#p", LAST_PK, "#s", LAST_SK))
                .expressionAttributeValues(values)));
    }

    /** All items are dealt with: the next run starts from the beginning. */
    void end() {
        CommandClients.await(dynamoDb.updateItem(update -> update.tableName(table).key(key(SORT_KEY))
                .updateExpression("REMOVE #r").expressionAttributeNames(Map.of("#r", RANKS))));
    }
}
