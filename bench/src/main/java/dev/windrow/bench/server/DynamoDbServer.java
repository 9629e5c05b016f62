package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.table.TableSchema;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * An in-memory stand-in for Windrow's table that costs the machine almost nothing. It evaluates the expressions that the
 * writer sends and counts their units; any other expression is an error. Queries of a table partition read its items; queries
 * of an index or of a recorded partition read recorded items.
 */
public final class DynamoDbServer implements AutoCloseable {

    private static final String ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#";
    private static final String CONSUMED = "{\"TableName\":\"" + TableSchema.TABLE + "\",\"CapacityUnits\":1.0}";
    private static final Reply COMMITTED = Reply.ok("{\"ConsumedCapacity\":[" + CONSUMED + "]}");
    private static final Set<String> KNOWN = Set.of("TableName", "Key", "UpdateExpression", "ConditionExpression",
            "ExpressionAttributeNames", "ExpressionAttributeValues", "ReturnValues", "ReturnConsumedCapacity",
            "ReturnValuesOnConditionCheckFailure");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_REQUESTS = 8_192;
    /** "A single Query operation can retrieve a maximum of 1 MB of data" (DynamoDB developer guide). */
    private static final int MAX_PAGE_BYTES = 1 << 20;
    private static final String POSITION = "position";

    private final Vertx vertx;
    private final MemoryTable table = new MemoryTable();
    private final Map<String, Partition> recorded = new HashMap<>();
    /** Cache of pages by request: requests repeat, and a lookup is cheaper than parsing. */
    private final Map<Buffer, Page> pages = new HashMap<>();
    private final AwsJsonServer server;
    private volatile Supplier<Duration> latency = () -> Duration.ZERO;

    private record Page(Reply reply, double readUnits) {
    }

    private record Partition(int size, IntFunction<ObjectNode> items) {
    }

    /** Starts with an empty table. */
    public DynamoDbServer(Vertx vertx) {
        this.vertx = vertx;
        this.server = AwsJsonServer.start(vertx, ERROR_PREFIX, this::answer);
    }

    private Future<Reply> answer(String operation, Buffer body) throws IOException {
        List<Update> transaction = new ArrayList<>();
        Reply reply = operation.equals("Query") ? query(body) : reply(operation, JSON.readTree(body.getBytes()), transaction);
        long millis = latency.get().toMillis();
        if (millis == 0) {
            table.release(transaction);
            return Future.succeededFuture(reply);
        }
        return vertx.timer(millis).map(elapsed -> {
            table.release(transaction);
            return reply;
        });
    }

    /** @param transaction receives the updates of an applied transaction, whose items are held until the response is sent */
    private Reply reply(String operation, JsonNode request, List<Update> transaction) throws IOException {
        return switch (operation) {
            case "BatchGetItem" -> batch(request.path("RequestItems").path(TableSchema.TABLE));
            case "GetItem" -> Reply.ok(get(request));
            case "UpdateItem" -> update(request);
            case "TransactWriteItems" -> transaction(request.path("TransactItems"), transaction);
            case "DescribeTable", "DescribeTimeToLive" -> Reply.recorded(operation + ".json");
            default -> Reply.error(ERROR_PREFIX + "UnknownOperationException", "this table does not know " + operation);
        };
    }

    private Reply query(Buffer request) throws IOException {
        Page page = page(request);
        table.meter().read(page.readUnits());
        return page.reply();
    }

    private Reply batch(JsonNode wanted) {
        ObjectNode answer = Reply.NODES.objectNode();
        ArrayNode found = answer.putObject("Responses").putArray(TableSchema.TABLE);
        double units = 0;
        for (JsonNode key : wanted.path("Keys")) {
            ObjectNode item = table.get(key(key));
            units += Meter.readUnits(Values.bytes(item), wanted.path("ConsistentRead").asBoolean());
            if (!item.isEmpty()) {
                found.add(item);
            }
        }
        table.meter().read(units);
        answer.putObject("UnprocessedKeys");
        answer.putArray("ConsumedCapacity").addObject().put("TableName", TableSchema.TABLE).put("CapacityUnits", units);
        return Reply.ok(answer);
    }

    private ObjectNode get(JsonNode request) {
        ObjectNode item = table.get(key(request.path("Key")));
        table.meter().read(Meter.readUnits(Values.bytes(item), request.path("ConsistentRead").asBoolean()));
        ObjectNode answer = Reply.NODES.objectNode();
        return item.isEmpty() ? answer : answer.set("Item", item);
    }

    private Reply update(JsonNode request) {
        Outcome outcome = table.write(List.of(parsed(request)), false).get(0);
        if (outcome.isFailed()) {
            return error(outcome);
        }
        String after = request.has("ReturnValues") ? ",\"Attributes\":" + outcome.item() : "";
        return Reply.ok("{\"ConsumedCapacity\":" + CONSUMED + after + "}");
    }

    private Reply transaction(JsonNode items, List<Update> transaction) {
        List<Update> updates = new ArrayList<>();
        for (JsonNode item : items) {
            if (!item.has("Update")) {
                throw new IllegalArgumentException("TransactItems: expected Update, found " + item.fieldNames().next());
            }
            updates.add(parsed(item.get("Update")));
        }
        List<Outcome> outcomes = table.write(updates, true);
        if (outcomes.stream().anyMatch(Outcome::isFailed)) {
            return cancelled(outcomes);
        }
        transaction.addAll(updates);
        return COMMITTED;
    }

    /** Returns the table, which can be read while the server runs. */
    public MemoryTable table() {
        return table;
    }

    public URI endpoint() {
        return server.endpoint();
    }

    /**
     * Records the items of a partition of the table or an index, which every query of that partition reads.
     *
     * @param items items ordered by sort key
     */
    public void record(String partitionKey, int size, IntFunction<ObjectNode> items) {
        recorded.put(partitionKey, new Partition(size, items));
    }

    /** Sets the delay of each response from now on, in whole milliseconds. */
    public void setLatency(Supplier<Duration> next) {
        latency = next;
    }

    @Override
    public void close() {
        server.close();
    }

    private static ItemKey key(JsonNode key) {
        if (key.size() != 2 || !key.path(TableSchema.PK).has("S") || !key.path(TableSchema.SK).has("S")) {
            throw new IllegalArgumentException("Key: expected pk and sk as strings");
        }
        return new ItemKey(Values.text(key, TableSchema.PK), Values.text(key, TableSchema.SK));
    }

    private static Update parsed(JsonNode request) {
        request.fieldNames().forEachRemaining(field -> {
            if (!KNOWN.contains(field)) {
                throw new IllegalArgumentException(field + ": expected one of " + KNOWN);
            }
        });
        return new Update(key(request.path("Key")), request.path("UpdateExpression").asText(),
                request.path("ConditionExpression").asText(), request.path("ExpressionAttributeNames"),
                request.path("ExpressionAttributeValues"));
    }

    /** Returns the error response of a single update. */
    private static Reply error(Outcome outcome) {
        return Reply.error(ERROR_PREFIX + outcome.code() + "Exception", "The request failed: " + outcome.code(),
                failed(outcome));
    }

    /** Returns the error response of a transaction, with a reason for each of its updates. */
    private static Reply cancelled(List<Outcome> outcomes) {
        ObjectNode details = Reply.NODES.objectNode();
        outcomes.forEach(outcome -> details.withArray("CancellationReasons").add(failed(outcome).put("Code", outcome.code())));
        return Reply.error(ERROR_PREFIX + "TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons "
                        + outcomes.stream().map(Outcome::code).toList(),
                details);
    }

    private static ObjectNode failed(Outcome outcome) {
        ObjectNode reason = Reply.NODES.objectNode();
        if (outcome.code().equals(Outcome.CONDITION_FAILED) && !outcome.item().isEmpty()) {
            reason.set("Item", outcome.item());
        }
        return reason;
    }

    /**
     * Answers a Query with a projected page of up to a limit or a megabyte. Partitions recorded before the experiment are
     * read whole, regardless of the range. Other partitions of the table are read in their current state, within the range;
     * other partitions of an index are empty.
     */
    private Page page(Buffer request) throws IOException {
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
        double units = Meter.readUnits(bytes, query.path("ConsistentRead").asBoolean());
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
