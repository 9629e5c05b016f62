package dev.windrow.bench.wire;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

import dev.windrow.bench.partition.AuditLog;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.table.Meter;
import dev.windrow.bench.table.Operations;
import dev.windrow.bench.table.TableKeys;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/**
 * The partition model in front of another DynamoDB. It keeps a table of its own beside the other's, as what a write
 * costs depends on the item before it; what the model refuses is never forwarded, all else is answered by the other. An
 * answer that differs in kind from the model's own is counted as a disagreement.
 */
public final class ForwardingServer implements AutoCloseable {

    private static final Set<String> MODELLED = Set.of("UpdateItem", "PutItem", "TransactWriteItems", "GetItem", "Query");
    private static final String THROTTLED = "ProvisionedThroughputExceeded";
    private static final int CONNECTIONS = 256;

    private final URI target;
    private final HttpClient client;
    private final Operations operations;
    private final LongAdder disagreements = new LongAdder();
    private final AwsJsonServer server;

    private ForwardingServer(Vertx vertx, URI target, DynamoDbServer.Options options) {
        this.target = target;
        this.client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        this.operations = new Operations(TableKeys.WINDROW, new PartitionModel(options.limits(), options.time()),
                options.time(), new AuditLog(options.auditEntries()));
        this.server = AwsJsonServer.start(vertx, "com.amazonaws.dynamodb.v20120810#", this::answer);
    }

    /**
     * Starts a server in front of another.
     *
     * @param target the other, with an empty table
     * @param options the model's; the latency is the other's own
     */
    public static ForwardingServer start(Vertx vertx, URI target, DynamoDbServer.Options options) {
        return new ForwardingServer(vertx, target, options);
    }

    private Future<Reply> answer(String operation, Buffer body, MultiMap headers) {
        if (!MODELLED.contains(operation)) {
            return forward(body, headers);
        }
        Reply own = DynamoDbServer.reply(operations, operation, body);
        if (own.status() != 200 && own.body().toString().contains(THROTTLED)) {
            return Future.succeededFuture(own);
        }
        return forward(body, headers).onSuccess(other -> {
            if (other.status() != own.status()) {
                disagreements.increment();
            }
        });
    }

    private Future<Reply> forward(Buffer body, MultiMap headers) {
        RequestOptions request = new RequestOptions().setMethod(HttpMethod.POST).setHost(target.getHost())
                .setPort(target.getPort()).setURI("/");
        headers.forEach((name, value) -> {
            if (!name.equalsIgnoreCase("Content-Length") && !name.equalsIgnoreCase("Connection")) {
                request.putHeader(name, value);
            }
        });
        return client.request(request).compose(sending -> sending.send(body))
                .compose(answer -> answer.body().map(bytes -> new Reply(answer.statusCode(), bytes)));
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** What the model counted. */
    public Meter meter() {
        return operations.meter();
    }

    /** Answers of the other that differed in kind from the model's. */
    public long disagreements() {
        return disagreements.sum();
    }

    @Override
    public void close() {
        server.close();
        client.close().toCompletionStage().toCompletableFuture().join();
    }
}
