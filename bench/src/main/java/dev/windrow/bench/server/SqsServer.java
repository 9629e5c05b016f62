package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * The SQS operations that consumers need, with long polling, on in-memory queues. Other operations are refused with an error
 * that names them, including SendMessage: no experiment has events for the dead-letter queue.
 */
public final class SqsServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LOOK_EVERY_MILLIS = 5;
    private static final String ERROR_PREFIX = "com.amazonaws.sqs#";
    private static final String RETENTION_SECONDS = "345600";
    private static final String VISIBILITY_SECONDS = "300";

    private final Vertx vertx;
    private final AwsJsonServer server;
    private final Map<String, MemoryQueue> queues = new ConcurrentHashMap<>();

    public SqsServer(Vertx vertx) {
        this.vertx = vertx;
        this.server = AwsJsonServer.start(vertx, ERROR_PREFIX, this::answer);
    }

    public MemoryQueue queue(String name) {
        return queues.computeIfAbsent(name, key -> new MemoryQueue());
    }

    private Future<Reply> answer(String operation, Buffer body) throws IOException {
        JsonNode request = JSON.readTree(body.getBytes());
        String name = request.hasNonNull("QueueName") ? request.get("QueueName").asText()
                : request.path("QueueUrl").asText().replaceFirst(".*/", "");
        MemoryQueue queue = queues.get(name);
        if (queue == null) {
            return Future.succeededFuture(
                    Reply.error(ERROR_PREFIX + "QueueDoesNotExist", "The specified queue does not exist: " + name));
        }
        if (operation.equals("ReceiveMessage")) {
            Promise<Reply> answer = Promise.promise();
            receive(queue, request, System.nanoTime() + TimeUnit.SECONDS.toNanos(request.path("WaitTimeSeconds").asInt()),
                    answer);
            return answer.future();
        }
        return Future.succeededFuture(switch (operation) {
            case "DeleteMessageBatch" -> each(request, entry -> queue.delete(handle(entry)));
            case "ChangeMessageVisibilityBatch" -> each(request,
                    entry -> queue.changeVisibility(handle(entry), entry.path("VisibilityTimeout").asLong()));
            case "GetQueueUrl" -> Reply.ok(Reply.NODES.objectNode().put("QueueUrl", url(name)));
            case "GetQueueAttributes" -> attributes(queue, name);
            default -> Reply.error(ERROR_PREFIX + "UnsupportedOperation", "this server does not know " + operation);
        });
    }

    private void receive(MemoryQueue queue, JsonNode request, long until, Promise<Reply> answer) {
        List<MemoryQueue.QueuedMessage> received = queue.receive(request.path("MaxNumberOfMessages").asInt(1));
        if (!received.isEmpty() || System.nanoTime() - until >= 0) {
            answer.complete(Reply.ok(messages(received)));
        } else {
            vertx.setTimer(LOOK_EVERY_MILLIS, elapsed -> receive(queue, request, until, answer));
        }
    }

    /** Builds the server's most frequent response without a JSON tree, for speed. */
    private static String messages(List<MemoryQueue.QueuedMessage> received) {
        StringJoiner messages = new StringJoiner(",", "{\"Messages\":[", "]}");
        for (MemoryQueue.QueuedMessage message : received) {
            messages.add("{\"MessageId\":\"" + message.id() + "\",\"ReceiptHandle\":\"" + message.handle()
                    + "\",\"MD5OfBody\":\"" + message.body().md5() + "\",\"Attributes\":{\"ApproximateReceiveCount\":\"1\","
                    + "\"SentTimestamp\":\"" + message.sentAt() + "\",\"ApproximateFirstReceiveTimestamp\":\""
                    + message.sentAt() + "\"},\"Body\":" + message.body().json() + '}');
        }
        return received.isEmpty() ? "{}" : messages.toString();
    }

    private static String handle(JsonNode entry) {
        return entry.path("ReceiptHandle").asText();
    }

    private static Reply each(JsonNode request, Predicate<JsonNode> operation) {
        ObjectNode answer = Reply.NODES.objectNode();
        answer.putArray("Successful");
        answer.putArray("Failed");
        for (JsonNode entry : request.path("Entries")) {
            boolean done = operation.test(entry);
            ObjectNode result = answer.withArray(done ? "Successful" : "Failed").addObject().set("Id", entry.path("Id"));
            if (!done) {
                result.put("Code", "ReceiptHandleIsInvalid").put("SenderFault", true);
            }
        }
        return Reply.ok(answer);
    }

    private static Reply attributes(MemoryQueue queue, String name) {
        ObjectNode answer = Reply.NODES.objectNode();
        answer.putObject("Attributes").put("ApproximateNumberOfMessages", String.valueOf(queue.visible()))
                .put("ApproximateNumberOfMessagesNotVisible", String.valueOf(queue.inFlight()))
                .put("ApproximateNumberOfMessagesDelayed", "0").put("VisibilityTimeout", VISIBILITY_SECONDS)
                .put("MessageRetentionPeriod", RETENTION_SECONDS)
                .put("QueueArn", "arn:aws:sqs:us-east-1:000000000000:" + name);
        return Reply.ok(answer);
    }

    public URI endpoint() {
        return server.endpoint();
    }

    public String url(String name) {
        return endpoint() + "/000000000000/" + name;
    }

    @Override
    public void close() {
        server.close();
    }

}
