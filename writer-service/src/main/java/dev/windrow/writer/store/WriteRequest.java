package dev.windrow.writer.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;

import dev.windrow.table.TableSchema;

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
            if (update.returnsItem()) {
                json.writeStringField("ReturnValues", "ALL_NEW");
            }
            json.writeStringField("ReturnConsumedCapacity", "TOTAL");
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A strongly consistent read of an item. */
    byte[] read(String partitionKey, String sortKey) {
        ByteArrayBuilder bytes = new ByteArrayBuilder(USUAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            writeKey(json, partitionKey, sortKey);
            json.writeBooleanField("ConsistentRead", true);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void write(JsonGenerator json, ItemUpdate update) throws IOException {
        writeKey(json, update.partitionKey(), update.sortKey());
        update.write(json);
    }

    private void writeKey(JsonGenerator json, String partitionKey, String sortKey) throws IOException {
        json.writeStringField("TableName", table);
        json.writeObjectFieldStart("Key");
        text(json, TableSchema.PK, partitionKey);
        text(json, TableSchema.SK, sortKey);
        json.writeEndObject();
    }

    private static void text(JsonGenerator json, String name, String text) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("S", text);
        json.writeEndObject();
    }
}
