package dev.windrow.bench.wire;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.bench.queue.MemoryQueue;
import dev.windrow.bench.queue.QueueOperations;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** SQS's protocol in front of queues in memory, with long polling. */
public final class SqsServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LOOK_EVERY_MILLIS = 5;

    private final Vertx vertx;
    private final AwsJsonServer server;
    private final long timer;
    private final Map<String, MemoryQueue> queues = new ConcurrentHashMap<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final QueueOperations operations;

    private record Waiting(MemoryQueue queue, JsonNode request, long until, Promise<Reply> promise) {
    }

    private SqsServer(Vertx vertx) {
        this.vertx = vertx;
        this.server = AwsJsonServer.start(vertx, "com.amazonaws.sqs#", (operation, body, headers) -> answer(operation, body));
        this.operations = new QueueOperations("http://127.0.0.1:" + server.port() + "/000000000000/");
        this.timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, id -> look());
    }

    /** Starts a server without queues. */
    public static SqsServer start(Vertx vertx) {
        return new SqsServer(vertx);
    }

    /** Adds a queue. */
    public MemoryQueue queue(String name, long visibilityMillis) {
        MemoryQueue queue = new MemoryQueue(name, System::currentTimeMillis, visibilityMillis);
        queues.put(name, queue);
        return queue;
    }

    private synchronized Future<Reply> answer(String operation, Buffer body) {
        JsonNode request;
        try {
            request = JSON.readTree(body.getBytes());
        } catch (IOException e) {
            return Future.succeededFuture(Reply.error("com.amazonaws.sqs#InvalidParameterValue", "body: expected JSON"));
        }
        String name = request.hasNonNull("QueueName") ? request.get("QueueName").asText()
                : request.path("QueueUrl").asText().replaceFirst(".*/", "");
        MemoryQueue queue = queues.get(name);
        if (queue == null) {
            return Future.succeededFuture(Reply.error("com.amazonaws.sqs#QueueDoesNotExist",
                    "The specified queue does not exist: " + name));
        }
        int wait = request.path("WaitTimeSeconds").asInt();
        if (operation.equals("ReceiveMessage") && wait > 0 && queue.visible() == 0) {
            Promise<Reply> promise = Promise.promise();
            waiting.addLast(new Waiting(queue, request, System.nanoTime() + wait * 1_000_000_000L, promise));
            return promise.future();
        }
        return Future.succeededFuture(reply(operation, queue, request));
    }

    private Reply reply(String operation, MemoryQueue queue, JsonNode request) {
        try {
            return new Reply(200, Buffer.buffer(operations.answer(operation, queue, request)));
        } catch (IllegalArgumentException e) {
            return Reply.error("com.amazonaws.sqs#UnsupportedOperation", String.valueOf(e.getMessage()));
        }
    }

    private synchronized void look() {
        int count = waiting.size();
        for (int i = 0; i < count; i++) {
            Waiting next = waiting.removeFirst();
            if (next.queue().visible() > 0 || System.nanoTime() - next.until() >= 0) {
                next.promise().complete(reply("ReceiveMessage", next.queue(), next.request()));
            } else {
                waiting.addLast(next);
            }
        }
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** The URL of a queue. */
    public String queueUrl(String name) {
        return operations.urlOf(name);
    }

    @Override
    public void close() {
        vertx.cancelTimer(timer);
        server.close();
    }
}
