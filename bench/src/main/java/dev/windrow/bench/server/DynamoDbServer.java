package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.partition.Resource;
import dev.windrow.table.TableSchema;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Windrow's table for experiments, next to free for the machine. Writes are accepted and counted by the partition model, and
 * every condition holds, as no experiment is about redelivery; queries have recorded answers; GetItem finds nothing.
 */
public final class DynamoDbServer implements AutoCloseable {

    private static final String ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#";
    private static final String THROTTLED = "ProvisionedThroughputExceeded";
    private static final String CONSUMED = "{\"TableName\":\"" + TableSchema.TABLE + "\",\"CapacityUnits\":1.0}";
    private static final Reply WRITTEN = Reply.ok("{\"ConsumedCapacity\":" + CONSUMED + "}");
    private static final Reply COMMITTED = Reply.ok("{\"ConsumedCapacity\":[" + CONSUMED + "]}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Vertx vertx;
    private final Meter meter = new Meter();
    private final RecordedShards shards = new RecordedShards();
    private final WriteCounter writes;
    private final AwsJsonServer server;
    private volatile Supplier<Duration> latency = () -> Duration.ZERO;
    private volatile boolean storm;

    private DynamoDbServer(Vertx vertx, CapacityLimits limits, LongSupplier nanos) {
        this.vertx = vertx;
        this.writes = new WriteCounter(new PartitionModel(limits, nanos), meter);
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
        Reply reply = reply(operation, body);
        long millis = latency.get().toMillis();
        if (millis == 0) {
            return Future.succeededFuture(reply);
        }
        Promise<Reply> promise = Promise.promise();
        vertx.setTimer(millis, timer -> promise.complete(reply));
        return promise.future();
    }

    private Reply reply(String operation, Buffer body) {
        try {
            return switch (operation) {
                case "Query" -> shards.query(body);
                case "UpdateItem" -> single(ItemWrite.update(JSON.readTree(body.getBytes())));
                case "PutItem" -> single(ItemWrite.put(JSON.readTree(body.getBytes())));
                case "TransactWriteItems" -> transaction(JSON.readTree(body.getBytes()).path("TransactItems"));
                case "GetItem" -> Reply.ok("{}");
                case "DescribeTable", "DescribeTimeToLive" -> Reply.recorded(operation + ".json");
                default -> Reply.error(ERROR_PREFIX + "UnknownOperationException", "this table does not know " + operation);
            };
        } catch (IOException | IllegalArgumentException e) {
            return Reply.error(ERROR_PREFIX + "ValidationException", String.valueOf(e.getMessage()));
        }
    }

    private Reply single(ItemWrite write) {
        Resource throttled = throttled(List.of(write), false);
        if (throttled == null) {
            return WRITTEN;
        }
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("ThrottlingReasons").addObject()
                .put("reason", (throttled.isIndex() ? "Index" : "Table") + "WriteKeyRangeThroughputExceeded")
                .put("resource", throttled.arn());
        return Reply.error(ERROR_PREFIX + THROTTLED + "Exception", "throttled at " + throttled.arn(), details);
    }

    private Reply transaction(JsonNode items) {
        List<ItemWrite> all = new ArrayList<>();
        for (JsonNode item : items) {
            if (!item.has("Update") && !item.has("Put")) {
                throw new IllegalArgumentException("TransactItems: expected Update or Put, found " + item.fieldNames().next());
            }
            all.add(item.has("Put") ? ItemWrite.put(item.get("Put")) : ItemWrite.update(item.get("Update")));
        }
        Resource throttled = throttled(all, true);
        if (throttled == null) {
            return COMMITTED;
        }
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        List<String> codes = new ArrayList<>();
        for (ItemWrite write : all) {
            boolean there = writes.demands(write, true).stream().anyMatch(demand -> demand.resource().equals(throttled));
            codes.add(there ? THROTTLED : "None");
            details.withArray("CancellationReasons").addObject().put("Code", there ? THROTTLED : "None");
        }
        return Reply.error(ERROR_PREFIX + "TransactionCanceledException",
                "Transaction cancelled, please refer cancellation reasons for specific reasons " + codes, details);
    }

    private @Nullable Resource throttled(List<ItemWrite> all, boolean transactional) {
        if (storm) {
            meter.throttled();
            return writes.demands(all.get(0), transactional).get(0).resource();
        }
        return writes.write(all, transactional);
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
