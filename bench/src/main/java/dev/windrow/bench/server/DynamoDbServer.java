package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.server.AwsJsonServer.Reply;
import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.MemoryTable;
import dev.windrow.bench.table.MemoryTable.Outcome;
import dev.windrow.bench.table.MemoryTable.Resource;
import dev.windrow.bench.table.MemoryTable.Units;
import dev.windrow.bench.table.Update;
import dev.windrow.bench.table.Values;
import dev.windrow.table.TableSchema;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Windrow's table for experiments, next to free for the machine. Writes are carried out as the expressions that the writer
 * sends demand, and their units counted; any other form is an error. Queries of a table partition read its items;
 * those of an index, and of what was recorded, read recorded items.
 */
public final class DynamoDbServer implements AutoCloseable {

    private static final String ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#";
    private static final String CONSUMED = "{\"TableName\":\"" + TableSchema.TABLE + "\",\"CapacityUnits\":1.0}";
    private static final Reply COMMITTED = Reply.ok("{\"ConsumedCapacity\":[" + CONSUMED + "]}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final Meter meter = new Meter();
    private final MemoryTable table;
    private final Queries queries;
    private final AwsJsonServer server;
    private volatile Supplier<Duration> latency = () -> Duration.ZERO;

    /** Starts with an empty table. */
    public DynamoDbServer(Vertx vertx) {
        this.vertx = vertx;
        this.table = new MemoryTable(meter);
        this.queries = new Queries(table);
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
        Promise<Reply> promise = Promise.promise();
        vertx.setTimer(millis, timer -> {
            table.release(transaction);
            promise.complete(reply);
        });
        return promise.future();
    }

    /** @param transaction gets the updates of one that was carried out: their items are held until it is answered */
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
        Queries.Page page = queries.query(request);
        meter.read(page.readUnits());
        return page.reply();
    }

    private Reply batch(JsonNode wanted) {
        ObjectNode answer = Reply.NODES.objectNode();
        ArrayNode found = answer.putObject("Responses").putArray(TableSchema.TABLE);
        double units = 0;
        for (JsonNode key : wanted.path("Keys")) {
            ObjectNode item = table.get(TableJson.key(key));
            units += Units.read(Values.bytes(item), wanted.path("ConsistentRead").asBoolean());
            if (!item.isEmpty()) {
                found.add(item);
            }
        }
        meter.read(units);
        answer.putObject("UnprocessedKeys");
        answer.putArray("ConsumedCapacity").addObject().put("TableName", TableSchema.TABLE).put("CapacityUnits", units);
        return Reply.ok(answer);
    }

    private ObjectNode get(JsonNode request) {
        ObjectNode item = table.get(TableJson.key(request.path("Key")));
        meter.read(Units.read(Values.bytes(item), request.path("ConsistentRead").asBoolean()));
        ObjectNode answer = Reply.NODES.objectNode();
        return item.isEmpty() ? answer : answer.set("Item", item);
    }

    private Reply update(JsonNode request) {
        Outcome outcome = table.write(List.of(TableJson.update(request)), false).get(0);
        if (outcome.isFailed()) {
            return TableJson.error(ERROR_PREFIX, outcome);
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
            updates.add(TableJson.update(item.get("Update")));
        }
        List<Outcome> outcomes = table.write(updates, true);
        if (outcomes.stream().anyMatch(Outcome::isFailed)) {
            return TableJson.cancelled(ERROR_PREFIX, outcomes);
        }
        transaction.addAll(updates);
        return COMMITTED;
    }

    /** The items, to be looked at while it serves. */
    public Map<Key, ObjectNode> items() {
        return table.items();
    }

    /** An item; empty if there is none. */
    public JsonNode item(Key key) {
        return table.get(key);
    }

    public URI endpoint() {
        return server.endpoint();
    }

    public Meter meter() {
        return meter;
    }

    /**
     * Records the items of a partition of the table or an index, which every query of it reads.
     *
     * @param items in the order of their sort keys
     */
    public void record(String partitionKey, int size, IntFunction<ObjectNode> items) {
        queries.record(partitionKey, size, items);
    }

    /** How long each answer waits from now on, in whole milliseconds. */
    public void setLatency(Supplier<Duration> next) {
        latency = next;
    }

    @Override
    public void close() {
        server.close();
    }

    /** The table's part of DynamoDB's JSON. */
    private static final class TableJson {

        private static final Set<String> KNOWN = Set.of("TableName", "Key", "UpdateExpression", "ConditionExpression",
                "ExpressionAttributeNames", "ExpressionAttributeValues", "ReturnValues", "ReturnConsumedCapacity",
                "ReturnValuesOnConditionCheckFailure");

        private TableJson() {
        }

        static Key key(JsonNode key) {
            if (key.size() != 2 || !key.path(TableSchema.PK).has("S") || !key.path(TableSchema.SK).has("S")) {
                throw new IllegalArgumentException("Key: expected pk and sk as strings");
            }
            return new Key(Values.text(key, TableSchema.PK), Values.text(key, TableSchema.SK));
        }

        static Update update(JsonNode request) {
            request.fieldNames().forEachRemaining(field -> {
                if (!KNOWN.contains(field)) {
                    throw new IllegalArgumentException(field + ": expected one of " + KNOWN);
                }
            });
            return new Update(key(request.path("Key")), request.path("UpdateExpression").asText(),
                    request.path("ConditionExpression").asText(), request.path("ExpressionAttributeNames"),
                    request.path("ExpressionAttributeValues"));
        }

        /** The error of a single update. */
        static Reply error(String prefix, Outcome outcome) {
            return Reply.error(prefix + outcome.code() + "Exception", "The request failed: " + outcome.code(), failed(outcome));
        }

        /** The error of a transaction, with a reason for each of its updates. */
        static Reply cancelled(String prefix, List<Outcome> outcomes) {
            ObjectNode details = Reply.NODES.objectNode();
            outcomes.forEach(
                    outcome -> details.withArray("CancellationReasons").add(failed(outcome).put("Code", outcome.code())));
            return Reply.error(prefix + "TransactionCanceledException",
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
    }

    /**
     * Answers of Query: pages of up to a limit or a megabyte, projected. Partitions recorded before the experiment are read
     * whole, whatever the range. Of others, those of the table are read as they are now, within the range; those of an index
     * are empty.
     */
    static final class Queries {

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
                throw new IllegalArgumentException(
                        "ExpressionAttributeValues: expected texts :p, :from and :to, found " + values);
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

    /** Counts the requests to a table and what they cost. Safe to read from other threads. */
    public static final class Meter implements MemoryTable.Costs {

        private final Map<String, DoubleAdder> counts = new ConcurrentHashMap<>();

        /**
         * What was counted so far.
         *
         * @param counts by kind and name, separated by a space
         */
        public record Reading(Map<String, Double> counts) {

            /** Items written that are in the index (upserts of buckets), by the index partition. */
            public Map<String, Double> indexed() {
                return of("indexed ");
            }

            /** Items written that are in the index. */
            public double upserts() {
                return sum(indexed());
            }

            /** Write units by what was written: {@code bucket}, {@code index}, or the first part of another key. */
            public Map<String, Double> unitsOf() {
                return of("units ");
            }

            /** Write units of table and index. */
            public double units() {
                return sum(unitsOf());
            }

            /** Read units of queries and single items. */
            public double readUnits() {
                return sum(of("read "));
            }

            private Map<String, Double> of(String kind) {
                return counts.entrySet().stream().filter(count -> count.getKey().startsWith(kind))
                        .collect(Collectors.toMap(count -> count.getKey().substring(kind.length()), Map.Entry::getValue));
            }

            private static double sum(Map<String, Double> of) {
                return of.values().stream().mapToDouble(Double::doubleValue).sum();
            }

            /** What was counted between an earlier reading and this one. */
            public Reading since(Reading earlier) {
                Map<String, Double> since = new TreeMap<>(counts);
                earlier.counts.forEach((name, before) -> since.merge(name, -before, Double::sum));
                return new Reading(since);
            }
        }

        void read(double units) {
            count("read units", units);
        }

        @Override
        public void charged(Map<Resource, Double> units) {
            units.forEach((resource, charged) -> count("units " + (resource.isIndex() ? "index"
                    : resource.partitionKey().startsWith("~") ? resource.partitionKey().replaceFirst("#.*", "") : "bucket"),
                    charged));
        }

        @Override
        public void wrote(String indexPartitionKey) {
            if (!indexPartitionKey.isEmpty()) {
                count("indexed " + indexPartitionKey, 1);
            }
        }

        private void count(String name, double more) {
            counts.computeIfAbsent(name, of -> new DoubleAdder()).add(more);
        }

        public Reading read() {
            Map<String, Double> sums = new TreeMap<>();
            counts.forEach((name, count) -> sums.put(name, count.sum()));
            return new Reading(sums);
        }
    }
}
