package dev.windrow.writer.operate;

import java.util.HashMap;
import java.util.Map;

import dev.windrow.scatter.Murmur3;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Progress of a command, stored in an item next to that of the registered datasets. */
record SweepProgress(RegistryItem item, String task) {

    /** Named after the first command with progress, as tables may hold that name. */
    private static final String TASK = "ranks";
    private static final String LAST_PK = "last-pk";
    private static final String LAST_SK = "last-sk";
    private static final Map<String, String> NAMES = Map.of("#t", TASK, "#p", LAST_PK, "#s", LAST_SK);

    /**
     * @param command name of the command, which has one progress at a time
     * @param task describes the work; progress of another task is ignored. Only its hash is stored, as the item of a
     *        stopped command stays until that command runs again
     */
    SweepProgress(DynamoDbAsyncClient dynamoDb, String table, String command, String task) {
        this(new RegistryItem(dynamoDb, table, command), "%016x".formatted(Murmur3.hash64(task)));
    }

    /** Returns the key of the last item processed; empty if there is none. */
    Map<String, AttributeValue> read() {
        Map<String, AttributeValue> known = item.read();
        AttributeValue of = known.get(TASK);
        AttributeValue pk = known.get(LAST_PK);
        AttributeValue sk = known.get(LAST_SK);
        boolean same = of != null && task.equals(of.s());
        return same && pk != null && sk != null ? Map.of(TableSchema.PK, pk, TableSchema.SK, sk) : Map.of();
    }

    void keep(Map<String, AttributeValue> last) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":t", AttributeValue.fromS(task)));
        values.put(":p", last.get(TableSchema.PK));
        values.put(":s", last.get(TableSchema.SK));
        item.update("SET #t = :t, #p = :p, #s = :s", null, NAMES, values);
    }

    /** Clears the progress, so that the next run starts from the beginning. No label stays behind in the keys. */
    void end() {
        item.update("REMOVE #t, #p, #s", null, NAMES, Map.of());
    }
}
