package dev.windrow.writer.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsResponse;
import dev.windrow.writer.store.WriteFailedException.Throttling;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;

/** Reads DynamoDB's answers to writes. */
final class WriteResponse {

    private WriteResponse() {
    }

    /** Write units consumed from table and index, as far as the response reports them. */
    static double units(AwsResponse answer) throws IOException {
        double units = 0;
        try (JsonParser json = answer.parser()) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token.isNumeric() && json.currentName().equals("CapacityUnits")) {
                    units += json.getDoubleValue();
                }
            }
        }
        return units;
    }

    /** Why a write was not carried out. */
    static RuntimeException failure(AwsResponse answer) throws IOException {
        AwsResponse.Refusal refusal = answer.refusal();
        return switch (refusal.type()) {
            case "TransactionCanceledException" -> DynamoFailures.cancelled(cancellations(answer), refusal.toString());
            case "ConditionalCheckFailedException" -> new ConditionFailedException(Map.of(0, item(answer, "Item")));
            default -> new WriteFailedException(AwsErrors.reason(refusal.type(), refusal.status(), refusal.message()),
                    refusal.toString(), WriteFailedException.WHOLE, throttling(answer));
        };
    }

    /** What was throttled, as the response's reasons say (DynamoDB API reference, ThrottlingReason). */
    private static Throttling throttling(AwsResponse answer) throws IOException {
        List<String> reasons = new ArrayList<>();
        try (JsonParser json = answer.parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("ThrottlingReasons");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() != JsonToken.END_ARRAY && json.currentToken() != null) {
                        if (json.currentToken() == JsonToken.VALUE_STRING && "reason".equals(json.currentName())) {
                            reasons.add(json.getText());
                        }
                    }
                } else {
                    json.skipChildren();
                }
            }
        } catch (JsonParseException e) {
            // A proxy between answers in words of its own.
            return Throttling.UNKNOWN;
        }
        if (reasons.isEmpty()) {
            return Throttling.UNKNOWN;
        }
        return reasons.stream().allMatch(reason -> reason.endsWith("KeyRangeThroughputExceeded")) ? Throttling.KEY
                : Throttling.WHOLE;
    }

    private static List<CancellationReason> cancellations(AwsResponse answer) throws IOException {
        List<CancellationReason> all = new ArrayList<>();
        try (JsonParser json = answer.parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals("CancellationReasons");
                if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        all.add(cancellation(json));
                    }
                } else {
                    json.skipChildren();
                }
            }
        }
        return all;
    }

    private static CancellationReason cancellation(JsonParser json) throws IOException {
        String code = "";
        String message = "";
        Map<String, AttributeValue> item = Map.of();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "Code" -> code = json.getValueAsString("");
                case "Message" -> message = json.getValueAsString("");
                case "Item" -> item = item(json);
                default -> json.skipChildren();
            }
        }
        return CancellationReason.builder().code(code).message(message).item(item).build();
    }

    /** The item in a field of the answer; an empty one if there is none. */
    static Map<String, AttributeValue> item(AwsResponse answer, String in) throws IOException {
        try (JsonParser json = answer.parser()) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean wanted = json.currentName().equals(in);
                json.nextToken();
                if (wanted) {
                    return item(json);
                }
                json.skipChildren();
            }
        }
        return Map.of();
    }

    /** The texts, numbers, bytes and sets of bytes of an item; others are not the writer's. */
    private static Map<String, AttributeValue> item(JsonParser json) throws IOException {
        Map<String, AttributeValue> item = new HashMap<>();
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return item;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String type = json.currentName();
                json.nextToken();
                switch (type) {
                    case "S" -> item.put(name, AttributeValue.fromS(json.getText()));
                    case "N" -> item.put(name, AttributeValue.fromN(json.getText()));
                    case "B" -> item.put(name, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(json.getBinaryValue())));
                    case "BS" -> item.put(name, AttributeValue.fromBs(bytes(json)));
                    default -> json.skipChildren();
                }
            }
        }
        return item;
    }

    private static List<SdkBytes> bytes(JsonParser json) throws IOException {
        List<SdkBytes> all = new ArrayList<>();
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            all.add(SdkBytes.fromByteArrayUnsafe(json.getBinaryValue()));
        }
        return all;
    }
}
