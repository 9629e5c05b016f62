package dev.windrow.bench.queue;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The operations of SQS that Windrow uses: GetQueueUrl, GetQueueAttributes, ReceiveMessage, DeleteMessageBatch,
 * ChangeMessageVisibilityBatch, SendMessage(Batch). Others are refused by name. Message attributes are not kept.
 */
public final class QueueOperations {

    private static final String RETENTION_SECONDS = "345600";

    private final String urlPrefix;

    /** @param urlPrefix of queue URLs */
    public QueueOperations(String urlPrefix) {
        this.urlPrefix = urlPrefix;
    }

    /** A queue's URL. */
    public String urlOf(String name) {
        return urlPrefix + name;
    }

    /**
     * Answers one request, as JSON.
     *
     * @throws IllegalArgumentException if the operation is not known
     */
    public String answer(String operation, MemoryQueue queue, JsonNode request) {
        return switch (operation) {
            case "ReceiveMessage" -> receive(queue, request);
            case "DeleteMessageBatch" -> batch(request, entry -> queue.delete(entry.path("ReceiptHandle").asText()));
            case "ChangeMessageVisibilityBatch" -> batch(request, entry -> changeVisibility(queue, entry));
            case "SendMessage" -> send(queue, request).toString();
            case "SendMessageBatch" -> sendBatch(queue, request);
            case "GetQueueUrl" -> JsonNodeFactory.instance.objectNode().put("QueueUrl", urlOf(queue.name())).toString();
            case "GetQueueAttributes" -> attributes(queue);
            default -> throw new IllegalArgumentException("this queue does not know " + operation);
        };
    }

    /** One entry of a batch; false if its handle is not known. */
    private interface Entry {
        boolean apply(JsonNode entry);
    }

    private static String receive(MemoryQueue queue, JsonNode request) {
        List<MemoryQueue.Handed> handed = queue.receive(request.path("MaxNumberOfMessages").asInt(1));
        if (handed.isEmpty()) {
            return "{}";
        }
        StringBuilder json = new StringBuilder(1_024).append("{\"Messages\":[");
        for (MemoryQueue.Handed each : handed) {
            QueuedMessage message = each.message();
            if (json.charAt(json.length() - 1) == '}') {
                json.append(',');
            }
            json.append("{\"MessageId\":\"").append(message.id()).append("\",\"ReceiptHandle\":\"").append(each.handle())
                    .append("\",\"MD5OfBody\":\"").append(message.body().md5())
                    .append("\",\"Attributes\":{\"ApproximateReceiveCount\":\"1\",\"SentTimestamp\":\"")
                    .append(message.sentAt())
                    .append("\",\"ApproximateFirstReceiveTimestamp\":\"").append(message.sentAt())
                    .append("\"},\"Body\":").append(message.body().json()).append('}');
        }
        return json.append("]}").toString();
    }

    private static boolean changeVisibility(MemoryQueue queue, JsonNode request) {
        return queue.changeVisibility(request.path("ReceiptHandle").asText(),
                request.path("VisibilityTimeout").asLong() * 1_000);
    }

    private static String batch(JsonNode request, Entry operation) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode successful = answer.putArray("Successful");
        ArrayNode failed = answer.putArray("Failed");
        for (JsonNode entry : request.path("Entries")) {
            String id = entry.path("Id").asText();
            if (operation.apply(entry)) {
                successful.addObject().put("Id", id);
            } else {
                failed.addObject().put("Id", id).put("Code", "ReceiptHandleIsInvalid").put("SenderFault", true);
            }
        }
        return answer.toString();
    }

    private static ObjectNode send(MemoryQueue queue, JsonNode request) {
        Body body = Body.of(request.path("MessageBody").asText());
        queue.send(List.of(body));
        return JsonNodeFactory.instance.objectNode().put("MessageId", queue.name()).put("MD5OfMessageBody", body.md5());
    }

    private static String sendBatch(MemoryQueue queue, JsonNode request) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        List<JsonNode> sent = new ArrayList<>();
        for (JsonNode entry : request.path("Entries")) {
            sent.add(send(queue, entry).put("Id", entry.path("Id").asText()));
        }
        answer.putArray("Successful").addAll(sent);
        answer.putArray("Failed");
        return answer.toString();
    }

    private static String attributes(MemoryQueue queue) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("Attributes").put("ApproximateNumberOfMessages", String.valueOf(queue.visible()))
                .put("ApproximateNumberOfMessagesNotVisible", String.valueOf(queue.hidden()))
                .put("ApproximateNumberOfMessagesDelayed", "0")
                .put("VisibilityTimeout", String.valueOf(queue.visibilityMillis() / 1_000))
                .put("MessageRetentionPeriod", RETENTION_SECONDS)
                .put("QueueArn", "arn:aws:sqs:us-east-1:000000000000:" + queue.name());
        return answer.toString();
    }
}
