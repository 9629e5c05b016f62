package dev.windrow.writer.store;

import java.io.IOException;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonGenerator;

/**
 * An update expression on a bucket's item.
 *
 * @param expression what to do
 * @param condition what must hold for it to be done; if it does not, the failure has the item's current state; null if
 *        nothing must
 * @param names what the expressions' names stand for
 * @param values what the expressions' values stand for
 */
public record BucketUpdate(String partitionKey, String sortKey, String expression, @Nullable String condition,
        Map<String, String> names, Map<String, Value> values) implements ItemUpdate {

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("UpdateExpression", expression);
        if (condition != null) {
            json.writeStringField("ConditionExpression", condition);
            WriteRequest.requestItem(json);
        }
        json.writeObjectFieldStart("ExpressionAttributeNames");
        for (Map.Entry<String, String> name : names.entrySet()) {
            json.writeStringField(name.getKey(), name.getValue());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("ExpressionAttributeValues");
        for (Map.Entry<String, Value> value : values.entrySet()) {
            WriteRequest.value(json, value.getKey(), value.getValue().type().name(), value.getValue().text());
        }
        json.writeEndObject();
    }

    /**
     * A value.
     *
     * @param type of DynamoDB
     * @param text as DynamoDB takes it
     */
    public record Value(Type type, String text) {

        /** The types of values that buckets have. */
        public enum Type {
            /** Text. */
            S,
            /** A number. */
            N
        }

        static Value text(String text) {
            return new Value(Type.S, text);
        }

        static Value number(String number) {
            return new Value(Type.N, number);
        }
    }
}
