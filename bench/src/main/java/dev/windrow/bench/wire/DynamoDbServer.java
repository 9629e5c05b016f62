package dev.windrow.bench.wire;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.AuditLog;
import dev.windrow.bench.partition.CapacityLimits;
import dev.windrow.bench.partition.Latency;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.table.Meter;
import dev.windrow.bench.table.Operations;
import dev.windrow.bench.table.Refusal;
import dev.windrow.bench.table.TableKeys;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** DynamoDB's protocol in front of a table in memory, with the partition model. */
public final class DynamoDbServer implements AutoCloseable {

    private static final String ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWERS_REMEMBERED = 8_192;

    private final Vertx vertx;
    private final Operations operations;
    private final Options options;
    private final AuditLog audit;
    private final AwsJsonServer server;
    private final Map<Buffer, Remembered> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Buffer, Remembered> eldest) {
            return size() > ANSWERS_REMEMBERED;
        }
    };
    private volatile Latency latency;
    private volatile boolean storm;

    private final LongAdder stormed = new LongAdder();

    private record Remembered(long version, Reply reply) {
    }

    /**
     * How a server behaves.
     *
     * @param limits capacity of each partition key
     * @param time the model's time in nanoseconds
     * @param latency how long answers wait
     * @param auditEntries applied writes that are kept
     * @param rememberAnswers whether the same query of an unchanged table is answered from memory; for measurements in
     *        which the server must cost little, and only without throttling
     */
    public record Options(CapacityLimits limits, LongSupplier time, Latency latency, int auditEntries,
            boolean rememberAnswers) {

        /** No limits, no wait. */
        public static Options unlimited() {
            double endless = 1e15;
            return new Options(new CapacityLimits(endless, endless, Duration.ZERO, Duration.ZERO), System::nanoTime,
                    Latency.NONE, 0, true);
        }

        /** With that model. */
        public static Options modelled(CapacityLimits limits, LongSupplier time, int auditEntries) {
            return new Options(limits, time, Latency.NONE, auditEntries, false);
        }
    }

    private DynamoDbServer(Vertx vertx, Options options) {
        this.vertx = vertx;
        this.options = options;
        this.latency = options.latency();
        this.audit = new AuditLog(options.auditEntries());
        this.operations = new Operations(TableKeys.WINDROW, new PartitionModel(options.limits(), options.time()),
                options.time(), audit);
        this.server = AwsJsonServer.start(vertx, ERROR_PREFIX, (operation, body, headers) -> answer(operation, body));
    }

    /** Starts a server with an empty table. */
    public static DynamoDbServer start(Vertx vertx, Options options) {
        return new DynamoDbServer(vertx, options);
    }

    private Future<Reply> answer(String operation, Buffer body) {
        return later(latency.next(), reply(operation, body));
    }

    private Reply reply(String operation, Buffer body) {
        if (storm && (operation.equals("UpdateItem") || operation.equals("TransactWriteItems"))) {
            stormed.increment();
            return Reply.error(ERROR_PREFIX + "ProvisionedThroughputExceededException", "storm");
        }
        boolean rememberable = options.rememberAnswers() && operation.equals("Query");
        if (rememberable) {
            Remembered same = remembered.get(body);
            if (same != null && same.version() == operations.version()) {
                operations.repeated(operation);
                return same.reply();
            }
        }
        Reply reply = reply(operations, operation, body);
        if (rememberable) {
            remembered.put(body, new Remembered(operations.version(), reply));
        }
        return reply;
    }

    static Reply reply(Operations operations, String operation, Buffer body) {
        try {
            JsonNode request = JSON.readTree(body.getBytes());
            return Reply.ok(operations.answer(operation, request));
        } catch (Refusal refusal) {
            return Reply.error(400, ERROR_PREFIX + refusal.type(), String.valueOf(refusal.getMessage()), refusal.details());
        } catch (IOException e) {
            return Reply.error(ERROR_PREFIX + "SerializationException", "body: expected JSON, found " + e.getMessage());
        }
    }

    private Future<Reply> later(Duration wait, Reply reply) {
        if (wait.toMillis() == 0) {
            return Future.succeededFuture(reply);
        }
        Promise<Reply> promise = Promise.promise();
        vertx.setTimer(wait.toMillis(), timer -> promise.complete(reply));
        return promise.future();
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** What it counted. */
    public Meter meter() {
        return operations.meter();
    }

    /** Writes refused in storms. */
    public long stormed() {
        return stormed.sum();
    }

    /** The writes it applied. */
    public AuditLog audit() {
        return audit;
    }

    /** How many items its table has. */
    public long items() {
        return operations.items();
    }

    /** Puts an item before any request is served. */
    public void put(Map<String, String> texts, Map<String, String> numbers) {
        ObjectNode request = JSON.createObjectNode().put("TableName", TableKeys.WINDROW.table());
        ObjectNode item = request.putObject("Item");
        texts.forEach((name, text) -> item.putObject(name).put("S", text));
        numbers.forEach((name, number) -> item.putObject(name).put("N", number));
        operations.answer("PutItem", request);
    }

    /** During a storm every write is throttled. */
    public void setStorm(boolean storming) {
        storm = storming;
    }

    /** Answers wait that long from now on. */
    public void setLatency(Latency next) {
        latency = next;
    }

    @Override
    public void close() {
        server.close();
    }
}
