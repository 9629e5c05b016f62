package dev.windrow.bench.server;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.server.AwsJsonServer.Reply;
import dev.windrow.bench.table.MemoryTable;
import dev.windrow.bench.table.Units;
import dev.windrow.bench.table.Values;
import dev.windrow.table.TableSchema;
import io.vertx.core.buffer.Buffer;

/**
 * Answers of Query: pages of up to a limit or a megabyte, projected.
 * Partitions recorded before the experiment are read whole, whatever the range. Of others, those of the table are read as they
 * are now, within the range; those of an index are empty.
 */
final class Queries {

    /** What was read of a partition, and the read units of it. */
    record Page(Reply reply, double readUnits) {
    }

    private record Partition(int size, IntFunction<ObjectNode> items) {
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_REQUESTS = 8_192;
    /** "A single Query operation can retrieve a maximum of 1 MB of data" (DynamoDB developer guide). */
    private static final int MAX_PAGE_BYTES = 1 << 20;
    private static final String POSITION = "position";

    private final MemoryTable table;
    private final Map<String, Partition> recorded = new HashMap<>();
    /** The same requests come again and again; looking one up is cheaper than parsing it. */
    private final Map<Buffer, Page> pages = new HashMap<>();

    Queries(MemoryTable table) {
        this.table = table;
    }

    /** @param items by their number, from 0, in the order of the index */
    void record(String partitionKey, int size, IntFunction<ObjectNode> items) {
        recorded.put(partitionKey, new Partition(size, items));
    }

    Page query(Buffer request) throws IOException {
        Page known = pages.get(request);
        if (known != null) {
            return known;
        }
        JsonNode query = JSON.readTree(request.getBytes());
        if (query.has("FilterExpression")) {
            throw new IllegalArgumentException("FilterExpression: expected none, found " + query.get("FilterExpression"));
        }
        JsonNode values = query.path("ExpressionAttributeValues");
        Partition partition = values.properties().stream().map(value -> value.getValue().path("S").asText())
                .filter(recorded::containsKey).map(recorded::get).findFirst().orElse(null);
        if (partition != null) {
            if (pages.size() > MAX_REQUESTS) {
                pages.clear();
            }
            Page page = page(query, partition);
            pages.put(request, page);
            return page;
        }
        List<ObjectNode> items = query.has("IndexName") ? List.of()
                : table.range(bound(values, ":p"), bound(values, ":from"), bound(values, ":to"));
        return page(query, new Partition(items.size(), items::get));
    }

    private static String bound(JsonNode values, String name) {
        if (!values.path(name).has("S")) {
            throw new IllegalArgumentException("ExpressionAttributeValues: expected texts :p, :from and :to, found " + values);
        }
        return Values.text(values, name);
    }

    private static Page page(JsonNode query, Partition partition) {
        ObjectNode answer = Reply.NODES.objectNode();
        ArrayNode items = answer.putArray("Items");
        int first = query.path("ExclusiveStartKey").path(POSITION).path("S").asInt();
        int end = Math.min(partition.size(), first + query.path("Limit").asInt(partition.size()));
        int next = first;
        int bytes = 0;
        for (; next < end && bytes < MAX_PAGE_BYTES; next++) {
            ObjectNode item = partition.items().apply(next);
            bytes += Values.bytes(item);
            items.add(projected(query, item));
        }
        answer.put("Count", items.size()).put("ScannedCount", next - first);
        if (next < partition.size()) {
            answer.putObject("LastEvaluatedKey").putObject(POSITION).put("S", Integer.toString(next));
        }
        double units = Units.read(bytes, query.path("ConsistentRead").asBoolean());
        if (query.has("ReturnConsumedCapacity")) {
            answer.putObject("ConsumedCapacity").put("TableName", TableSchema.TABLE).put("CapacityUnits", units);
        }
        return new Page(Reply.ok(answer), units);
    }

    private static ObjectNode projected(JsonNode query, ObjectNode item) {
        if (!query.has("ProjectionExpression")) {
            return item;
        }
        ObjectNode projected = Reply.NODES.objectNode();
        for (String name : query.get("ProjectionExpression").asText().split(",", -1)) {
            String attribute = query.path("ExpressionAttributeNames").path(name).asText();
            if (item.has(attribute)) {
                projected.set(attribute, item.get(attribute));
            }
        }
        return projected;
    }
}
