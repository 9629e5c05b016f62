package dev.windrow.writer.source;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

import dev.windrow.aws.AwsResponse;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;

/** Reads SQS's answer to a receive. */
final class ReceiveResponse {

    private static final MessageBody NOTHING = MessageBody.of("");

    private final SourceQueue queue;
    private String id = "";
    private String receipt = "";
    private MessageBody body = NOTHING;
    private Map<String, String> attributes = Map.of();
    private Instant sent = Instant.EPOCH;
    private Instant first = Instant.EPOCH;
    private int count = 1;
    private @Nullable String group;

    ReceiveResponse(SourceQueue queue) {
        this.queue = queue;
    }

    /** A text as JSON. */
    static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    List<Message> read(AwsResponse answer) throws IOException {
        List<Message> messages = new ArrayList<>();
        try (JsonParser json = answer.parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("Messages");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        messages.add(message(json));
                    }
                } else {
                    json.skipChildren();
                }
            }
        }
        return messages;
    }

    private Message message(JsonParser json) throws IOException {
        id = "";
        receipt = "";
        body = NOTHING;
        attributes = Map.of();
        sent = Instant.EPOCH;
        first = Instant.EPOCH;
        count = 1;
        group = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "MessageId" -> id = json.getText();
                case "ReceiptHandle" -> receipt = json.getText();
                case "Body" -> body = MessageBody.of(json.getText());
                case "Attributes" -> readSystem(json);
                case "MessageAttributes" -> attributes = texts(json);
                default -> json.skipChildren();
            }
        }
        return new Message(queue, id, receipt, body, attributes, sent, first, count, group);
    }

    private void readSystem(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "SentTimestamp" -> sent = instant(json);
                case "ApproximateFirstReceiveTimestamp" -> first = instant(json);
                case "ApproximateReceiveCount" -> count = Integer.parseInt(json.getText());
                case "MessageGroupId" -> group = json.getText();
                default -> json.skipChildren();
            }
        }
    }

    private static Instant instant(JsonParser json) throws IOException {
        return Instant.ofEpochMilli(Long.parseLong(json.getText()));
    }

    /** Those message attributes that are text. */
    private static Map<String, String> texts(JsonParser json) throws IOException {
        Map<String, String> texts = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("StringValue");
                if (json.nextToken() == JsonToken.VALUE_STRING && wanted) {
                    texts.put(name, json.getText());
                } else {
                    json.skipChildren();
                }
            }
        }
        return texts;
    }
}
