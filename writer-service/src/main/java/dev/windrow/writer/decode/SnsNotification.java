package dev.windrow.writer.decode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** The fields of an SNS notification, in which SNS wraps messages unless raw delivery is on. */
final class SnsNotification {

    /** SQS allows at most ten per message; a hostile body may hold any number. */
    private static final int MAX_ATTRIBUTES = 100;

    private @Nullable String type;
    private @Nullable String topic;
    private @Nullable String message;
    private final Map<String, String> attributes = new HashMap<>();

    void readField(JsonParser json, String field) throws IOException {
        switch (field) {
            case "Type" -> type = text(json);
            case "TopicArn" -> topic = text(json);
            case "Message" -> message = text(json);
            default -> readAttributes(json);
        }
    }

    /** Whether all fields that identify a notification were present. */
    boolean isWhole() {
        return "Notification".equals(type) && topic != null && message != null;
    }

    String message() {
        return String.valueOf(message);
    }

    /** Returns the message attributes published with the notification. */
    Map<String, String> attributes() {
        return attributes;
    }

    private void readAttributes(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            if (json.nextToken() != JsonToken.START_OBJECT) {
                json.skipChildren();
                continue;
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                boolean isValue = json.currentName().equals("Value");
                json.nextToken();
                String value = text(json);
                if (isValue && value != null && attributes.size() < MAX_ATTRIBUTES) {
                    attributes.put(Decompression.attributeName(name), value);
                }
            }
        }
    }

    /** Returns a text value; null for any other value, which is skipped. */
    static @Nullable String text(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        json.skipChildren();
        return null;
    }
}
