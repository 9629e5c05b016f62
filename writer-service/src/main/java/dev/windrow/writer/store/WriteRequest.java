package dev.windrow.writer.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.LedgerId;
import dev.windrow.writer.store.BucketUpdate.Value;

/** Writes as DynamoDB's JSON. */
final class WriteRequest {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int USUAL_BYTES = 8_192;

    private final String table;

    WriteRequest(String table) {
        this.table = table;
    }

    /** A transaction of updates. */
    byte[] transaction(List<ItemUpdate> updates) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeArrayFieldStart("TransactItems");
            for (ItemUpdate update : updates) {
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
    byte[] update(ItemUpdate update) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(USUAL_BYTES);
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

    private void write(JsonGenerator json, ItemUpdate update) throws IOException {
        json.writeStringField("TableName", table);
        json.writeObjectFieldStart("Key");
        value(json, TableSchema.PK, "S", update.partitionKey());
        value(json, TableSchema.SK, "S", update.sortKey());
        json.writeEndObject();
        if (update instanceof BucketUpdate bucket) {
            write(json, bucket);
        } else {
            write(json, (LedgerNote) update);
        }
    }

    private static void write(JsonGenerator json, BucketUpdate update) throws IOException {
        json.writeStringField("UpdateExpression", update.expression());
        if (update.condition() != null) {
            json.writeStringField("ConditionExpression", update.condition());
            tellItem(json);
        }
        json.writeObjectFieldStart("ExpressionAttributeNames");
        for (Map.Entry<String, String> name : update.names().entrySet()) {
            json.writeStringField(name.getKey(), name.getValue());
        }
        json.writeEndObject();
        json.writeObjectFieldStart("ExpressionAttributeValues");
        for (Map.Entry<String, Value> value : update.values().entrySet()) {
            value(json, value.getKey(), value.getValue().type().name(), value.getValue().text());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, LedgerNote note) throws IOException {
        List<LedgerId> ids = note.ids();
        json.writeStringField("UpdateExpression", LedgerNote.EXPRESSION);
        json.writeFieldName("ConditionExpression");
        json.writeString(UnknownIds.condition(ids.size()));
        tellItem(json);
        json.writeObjectFieldStart("ExpressionAttributeNames");
        json.writeStringField(LedgerNote.EXPIRES_NAME, TableSchema.TTL);
        json.writeEndObject();
        json.writeObjectFieldStart("ExpressionAttributeValues");
        value(json, LedgerNote.EXPIRES_VALUE, "N", Long.toString(note.expires()));
        json.writeObjectFieldStart(LedgerNote.IDS_VALUE);
        json.writeArrayFieldStart("BS");
        byte[] bytes = new byte[LedgerNote.ID_BYTES];
        for (LedgerId id : ids) {
            LedgerNote.write(id, bytes);
            json.writeBinary(bytes);
        }
        json.writeEndArray();
        json.writeEndObject();
        for (int i = 0; i < ids.size(); i++) {
            json.writeFieldName(UnknownIds.name(i));
            json.writeStartObject();
            LedgerNote.write(ids.get(i), bytes);
            json.writeBinaryField("B", bytes);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void tellItem(JsonGenerator json) throws IOException {
        json.writeStringField("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
    }

    private static void value(JsonGenerator json, String name, String type, String text) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField(type, text);
        json.writeEndObject();
    }
}
