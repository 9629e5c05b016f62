package dev.windrow.writer.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Writes as DynamoDB's JSON. */
final class WriteMessages {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int USUAL_BYTES = 4_096;

    private WriteMessages() {
    }

    /** A transaction of updates. */
    static byte[] transaction(List<Update> updates) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("TransactItems");
            for (Update update : updates) {
                json.writeStartObject();
                json.writeObjectFieldStart("Update");
                write(json, update);
                json.writeEndObject();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A single update. */
    static byte[] update(Update update) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            write(json, update);
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Update update) throws IOException {
        json.writeStringField("TableName", update.tableName());
        values(json, "Key", update.key());
        json.writeStringField("UpdateExpression", update.updateExpression());
        if (update.conditionExpression() != null) {
            json.writeStringField("ConditionExpression", update.conditionExpression());
        }
        if (update.hasExpressionAttributeNames()) {
            json.writeObjectFieldStart("ExpressionAttributeNames");
            for (Map.Entry<String, String> name : update.expressionAttributeNames().entrySet()) {
                json.writeStringField(name.getKey(), name.getValue());
            }
            json.writeEndObject();
        }
        values(json, "ExpressionAttributeValues", update.expressionAttributeValues());
        if (update.returnValuesOnConditionCheckFailure() != null) {
            json.writeStringField("ReturnValuesOnConditionCheckFailure",
                    update.returnValuesOnConditionCheckFailureAsString());
        }
    }

    private static void values(JsonGenerator json, String field, Map<String, AttributeValue> values) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, AttributeValue> value : values.entrySet()) {
            json.writeObjectFieldStart(value.getKey());
            value(json, value.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void value(JsonGenerator json, AttributeValue value) throws IOException {
        switch (value.type()) {
            case S -> json.writeStringField("S", value.s());
            case N -> json.writeStringField("N", value.n());
            case B -> json.writeBinaryField("B", value.b().asByteArrayUnsafe());
            case BS -> {
                json.writeArrayFieldStart("BS");
                for (SdkBytes each : value.bs()) {
                    json.writeBinary(each.asByteArrayUnsafe());
                }
                json.writeEndArray();
            }
            case SS, NS, M, L, BOOL, NUL, UNKNOWN_TO_SDK_VERSION -> throw new IllegalArgumentException(
                    "expected text, number, bytes or a set of bytes, found " + value.type());
        }
    }
}
