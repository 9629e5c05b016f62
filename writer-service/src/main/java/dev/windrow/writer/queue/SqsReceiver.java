package dev.windrow.writer.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.table.AwsLimits;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import io.smallrye.mutiny.Uni;

/**
 * Receives messages with SQS's JSON protocol, and parses the response as a stream.
 *
 * @param longPoll how long a receive waits for the first message
 * @param workers reads and processes messages: compressed ones may be large, and event loops must not block
 */
public record SqsReceiver(AwsJsonClient client, Duration longPoll, Executor workers) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TARGET = "AmazonSQS.ReceiveMessage";
    private static final String ATTRIBUTES = ",\"MessageSystemAttributeNames\":[\"SentTimestamp\","
            + "\"ApproximateReceiveCount\",\"ApproximateFirstReceiveTimestamp\",\"MessageGroupId\"],"
            + "\"MessageAttributeNames\":[\"All\"]";
    /** How long a receive may take beyond the long poll. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Receives once, up to a maximum; SQS never returns more than ten messages. */
    public Uni<List<Message>> receive(SourceQueue queue, int maximum) {
        byte[] request = AwsJsonClient.body(json -> {
            json.writeStringField("QueueUrl", queue.url());
            json.writeNumberField("MaxNumberOfMessages", Math.min(maximum, AwsLimits.QUEUE_BATCH));
            json.writeNumberField("WaitTimeSeconds", longPoll.toSeconds());
            json.writeRaw(ATTRIBUTES);
        });
        return client.post(TARGET, request, longPoll.plus(PATIENCE)).emitOn(workers).map(answer -> messages(queue, answer));
    }

    private static List<Message> messages(SourceQueue queue, AwsResponse answer) {
        answer.requireOk();
        List<Message> messages = new ArrayList<>();
        try {
            answer.readEach("Messages", json -> messages.add(message(queue, JSON.readTree(json))));
        } catch (IOException e) {
            throw new UncheckedIOException("malformed response", e);
        }
        return messages;
    }

    private static Message message(SourceQueue queue, JsonNode json) {
        Map<String, String> texts = new HashMap<>();
        json.path("MessageAttributes").properties().forEach(attribute -> {
            JsonNode value = attribute.getValue().path("StringValue");
            if (value.isTextual()) {
                texts.put(attribute.getKey(), value.textValue());
            }
        });
        JsonNode system = json.path("Attributes");
        return new Message(queue, json.path("MessageId").asText(), json.path("ReceiptHandle").asText(),
                MessageBody.of(json.path("Body").asText()), texts, instant(system.path("SentTimestamp")),
                instant(system.path("ApproximateFirstReceiveTimestamp")), system.path("ApproximateReceiveCount").asInt(1),
                system.path("MessageGroupId").textValue());
    }

    private static Instant instant(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }
}
