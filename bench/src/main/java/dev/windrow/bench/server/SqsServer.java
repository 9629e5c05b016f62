package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * The operations of SQS that consumers need, with long polling, in front of queues in memory. Others are refused by
 * name, SendMessage among them: no experiment has events for the dead-letter queue.
 */
public final class SqsServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LOOK_EVERY_MILLIS = 5;
    private static final String ERROR_PREFIX = "com.amazonaws.sqs#";
    private static final String RETENTION_SECONDS = "345600";
    private static final String VISIBILITY_SECONDS = "300";

    private final Vertx vertx;
    private final AwsJsonServer server;
    private final long timer;
    private final Map<String, MemoryQueue> queues = new ConcurrentHashMap<>();
    private final Deque<Poll> polls = new ArrayDeque<>();

    private record Poll(MemoryQueue queue, JsonNode request, long until, Promise<Reply> promise) {
    }

    private SqsServer(Vertx vertx) {
        this.vertx = vertx;
        this.server = AwsJsonServer.start(vertx, ERROR_PREFIX, this::answer);
        this.timer = vertx.setPeriodic(LOOK_EVERY_MILLIS, id -> look());
    }

    /** Starts a server without queues. */
    public static SqsServer start(Vertx vertx) {
        return new SqsServer(vertx);
    }

    /** Adds a queue. */
    public MemoryQueue queue(String name) {
        return queues.computeIfAbsent(name, MemoryQueue::new);
    }

    private synchronized Future<Reply> answer(String operation, Buffer body) {
        JsonNode request;
        try {
            request = JSON.readTree(body.getBytes());
        } catch (IOException e) {
            return Future.succeededFuture(Reply.error(ERROR_PREFIX + "InvalidParameterValue", "body: expected JSON"));
        }
        String name = request.hasNonNull("QueueName") ? request.get("QueueName").asText()
                : request.path("QueueUrl").asText().replaceFirst(".*/", "");
        MemoryQueue queue = queues.get(name);
        if (queue == null) {
            return Future.succeededFuture(
                    Reply.error(ERROR_PREFIX + "QueueDoesNotExist", "The specified queue does not exist: " + name));
        }
        int wait = request.path("WaitTimeSeconds").asInt();
        if (operation.equals("ReceiveMessage") && wait > 0 && queue.visible() == 0) {
            Promise<Reply> promise = Promise.promise();
            polls.addLast(new Poll(queue, request, System.nanoTime() + wait * 1_000_000_000L, promise));
            return promise.future();
        }
        return Future.succeededFuture(reply(operation, queue, request));
    }

    private synchronized void look() {
        int count = polls.size();
        for (int i = 0; i < count; i++) {
            Poll next = polls.removeFirst();
            if (next.queue().visible() > 0 || System.nanoTime() - next.until() >= 0) {
                next.promise().complete(Reply.ok(receive(next.queue(), next.request())));
            } else {
                polls.addLast(next);
            }
        }
    }

    private Reply reply(String operation, MemoryQueue queue, JsonNode request) {
        return switch (operation) {
            case "ReceiveMessage" -> Reply.ok(receive(queue, request));
            case "DeleteMessageBatch" -> Reply.ok(each(request, entry -> queue.delete(handle(entry))));
            case "ChangeMessageVisibilityBatch" -> Reply.ok(each(request,
                    entry -> queue.changeVisibility(handle(entry), entry.path("VisibilityTimeout").asLong())));
            case "GetQueueUrl" -> Reply.ok(JsonNodeFactory.instance.objectNode().put("QueueUrl", url(queue.name())).toString());
            case "GetQueueAttributes" -> Reply.ok(attributes(queue));
            default -> Reply.error(ERROR_PREFIX + "UnsupportedOperation", "this server does not know " + operation);
        };
    }

    /** The server's most frequent response, so it is built without a tree. */
    private static String receive(MemoryQueue queue, JsonNode request) {
        List<MemoryQueue.Received> received = queue.receive(request.path("MaxNumberOfMessages").asInt(1));
        if (received.isEmpty()) {
            return "{}";
        }
        StringJoiner messages = new StringJoiner(",", "{\"Messages\":[", "]}");
        for (MemoryQueue.Received each : received) {
            MemoryQueue.QueuedMessage message = each.message();
            messages.add("{\"MessageId\":\"" + message.id() + "\",\"ReceiptHandle\":\"" + each.handle() + "\",\"MD5OfBody\":\""
                    + message.body().md5() + "\",\"Attributes\":{\"ApproximateReceiveCount\":\"1\",\"SentTimestamp\":\""
                    + message.sentAt() + "\",\"ApproximateFirstReceiveTimestamp\":\"" + message.sentAt() + "\"},\"Body\":"
                    + message.body().json() + '}');
        }
        return messages.toString();
    }

    private static String handle(JsonNode entry) {
        return entry.path("ReceiptHandle").asText();
    }

    private static String each(JsonNode request, Predicate<JsonNode> operation) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode successful = answer.putArray("Successful");
        ArrayNode failed = answer.putArray("Failed");
        for (JsonNode entry : request.path("Entries")) {
            String id = entry.path("Id").asText();
            if (operation.test(entry)) {
                successful.addObject().put("Id", id);
            } else {
                failed.addObject().put("Id", id).put("Code", "ReceiptHandleIsInvalid").put("SenderFault", true);
            }
        }
        return answer.toString();
    }

    private static String attributes(MemoryQueue queue) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("Attributes").put("ApproximateNumberOfMessages", String.valueOf(queue.visible()))
                .put("ApproximateNumberOfMessagesNotVisible", String.valueOf(queue.inFlight()))
                .put("ApproximateNumberOfMessagesDelayed", "0").put("VisibilityTimeout", VISIBILITY_SECONDS)
                .put("MessageRetentionPeriod", RETENTION_SECONDS)
                .put("QueueArn", "arn:aws:sqs:us-east-1:000000000000:" + queue.name());
        return answer.toString();
    }

    /** Where it listens. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** The URL of a queue. */
    public String url(String name) {
        return endpoint() + "/000000000000/" + name;
    }

    @Override
    public void close() {
        vertx.cancelTimer(timer);
        server.close();
    }
}
