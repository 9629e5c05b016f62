package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.partition.Resource;
import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.MemoryTable;
import dev.windrow.bench.table.Outcome;
import dev.windrow.bench.table.Update;
import dev.windrow.bench.table.Value;
import dev.windrow.table.TableSchema;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Windrow's table for experiments, next to free for the machine. Writes are carried out as the expressions that the writer
 * sends demand, and counted by the partition model; any other form is an error. Queries have recorded answers.
 */
public final class DynamoDbServer implements AutoCloseable {

    private static final String ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#";
    private static final String CONSUMED = "{\"TableName\":\"" + TableSchema.TABLE + "\",\"CapacityUnits\":1.0}";
    private static final Reply COMMITTED = Reply.ok("{\"ConsumedCapacity\":[" + CONSUMED + "]}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final Meter meter = new Meter();
    private final RecordedShards shards = new RecordedShards();
    private final MemoryTable table;
    private final AwsJsonServer server;
    private volatile Supplier<Duration> latency = () -> Duration.ZERO;
    private volatile boolean storm;

    private DynamoDbServer(Vertx vertx, CapacityLimits limits, LongSupplier nanos) {
        this.vertx = vertx;
        this.table = new MemoryTable(new PartitionModel(limits, nanos), meter);
        this.server = AwsJsonServer.start(vertx, ERROR_PREFIX, this::answer);
    }

    /** Starts a server with an empty table that throttles nothing. */
    public static DynamoDbServer start(Vertx vertx) {
        return start(vertx, CapacityLimits.UNLIMITED, System::nanoTime);
    }

    /**
     * Starts a server with an empty table.
     *
     * @param limits of each partition key
     * @param nanos the model's time in nanoseconds
     */
    public static DynamoDbServer start(Vertx vertx, CapacityLimits limits, LongSupplier nanos) {
        return new DynamoDbServer(vertx, limits, nanos);
    }

    private Future<Reply> answer(String operation, Buffer body) {
        meter.request(operation);
        List<Update> transaction = new ArrayList<>();
        Reply reply = reply(operation, body, transaction);
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
    private Reply reply(String operation, Buffer body, List<Update> transaction) {
        try {
            return switch (operation) {
                case "Query" -> shards.query(body);
                case "UpdateItem" -> update(JSON.readTree(body.getBytes()));
                case "TransactWriteItems" -> transaction(JSON.readTree(body.getBytes()), transaction);
                case "GetItem" -> get(JSON.readTree(body.getBytes()));
                case "DescribeTable", "DescribeTimeToLive" -> Reply.recorded(operation + ".json");
                default -> Reply.error(ERROR_PREFIX + "UnknownOperationException", "this table does not know " + operation);
            };
        } catch (IOException | IllegalArgumentException e) {
            meter.invalid();
            return Reply.error(ERROR_PREFIX + "ValidationException", String.valueOf(e.getMessage()));
        }
    }

    private Reply get(JsonNode request) {
        Map<String, Value> item = table.get(TableJson.key(request));
        return Reply.ok(item.isEmpty() ? "{}" : "{\"Item\":" + TableJson.item(item) + "}");
    }

    private Reply update(JsonNode request) {
        Update update = TableJson.update(request);
        Outcome outcome = storm ? stormy(update) : table.write(update);
        meter.outcome("UpdateItem", List.of(outcome));
        if (outcome.isFailed()) {
            return TableJson.error(ERROR_PREFIX, outcome);
        }
        String after = request.has("ReturnValues") ? ",\"Attributes\":" + TableJson.item(outcome.item()) : "";
        return Reply.ok("{\"ConsumedCapacity\":" + CONSUMED + after + "}");
    }

    private static Outcome stormy(Update update) {
        return new Outcome(Outcome.THROTTLED, Map.of(), new Resource(TableSchema.TABLE, null, update.key().partition()));
    }

    private Reply transaction(JsonNode request, List<Update> transaction) {
        List<Update> updates = new ArrayList<>();
        for (JsonNode item : request.path("TransactItems")) {
            if (!item.has("Update")) {
                throw new IllegalArgumentException("TransactItems: expected Update, found " + item.fieldNames().next());
            }
            updates.add(TableJson.update(item.get("Update")));
        }
        List<Outcome> outcomes = storm ? updates.stream().map(DynamoDbServer::stormy).toList() : table.transaction(updates);
        meter.outcome("TransactWriteItems", outcomes);
        if (outcomes.stream().anyMatch(Outcome::isFailed)) {
            return TableJson.cancelled(ERROR_PREFIX, outcomes);
        }
        transaction.addAll(updates);
        return COMMITTED;
    }

    /** The items, to be looked at while it serves. */
    public Map<Key, Map<String, Value>> items() {
        return table.items();
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** What it counted. */
    public Meter meter() {
        return meter;
    }

    /**
     * Records the answer to every query of an index partition.
     *
     * @param items in the protocol's JSON, in the order of the index
     */
    public void record(String indexPartitionKey, List<String> items) {
        shards.put(indexPartitionKey, items);
    }

    /** During a storm every write is throttled. */
    public void setStorm(boolean storming) {
        storm = storming;
    }

    /** How long each answer waits from now on, in whole milliseconds. */
    public void setLatency(Supplier<Duration> next) {
        latency = next;
    }

    @Override
    public void close() {
        server.close();
    }
}
