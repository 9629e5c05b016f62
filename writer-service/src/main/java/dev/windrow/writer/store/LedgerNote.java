package dev.windrow.writer.store;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.LedgerId;

/**
 * Notes ids in a ledger slot, provided that it holds none of them; if it does, the failure gives back all that it holds.
 *
 * @param ids 1 to {@value Transactions#MAX_IDS} of them
 * @param expires when the slot may be forgotten, in seconds since the epoch
 */
public record LedgerNote(String partitionKey, String sortKey, List<LedgerId> ids, long expires) implements ItemUpdate {

    static final String EXPRESSION = "SET #ttl = :ttl ADD " + TableSchema.LEDGER_IDS + " :ids";
    static final String EXPIRES_NAME = "#ttl";
    static final String EXPIRES_VALUE = ":ttl";
    static final String IDS_VALUE = ":ids";

    static final int ID_BYTES = Long.BYTES;

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("UpdateExpression", EXPRESSION);
        json.writeFieldName("ConditionExpression");
        json.writeString(UnknownIds.condition(ids.size()));
        WriteRequest.requestItem(json);
        json.writeObjectFieldStart("ExpressionAttributeNames");
        json.writeStringField(EXPIRES_NAME, TableSchema.TTL);
        json.writeEndObject();
        json.writeObjectFieldStart("ExpressionAttributeValues");
        WriteRequest.value(json, EXPIRES_VALUE, "N", Long.toString(expires));
        json.writeObjectFieldStart(IDS_VALUE);
        json.writeArrayFieldStart("BS");
        byte[] bytes = new byte[ID_BYTES];
        for (LedgerId id : ids) {
            write(id, bytes);
            json.writeBinary(bytes);
        }
        json.writeEndArray();
        json.writeEndObject();
        for (int i = 0; i < ids.size(); i++) {
            json.writeFieldName(UnknownIds.name(i));
            json.writeStartObject();
            write(ids.get(i), bytes);
            json.writeBinaryField("B", bytes);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Writes an id as the table keeps it: its hash, highest byte first. */
    static void write(LedgerId id, byte[] bytes) {
        for (int i = 0; i < ID_BYTES; i++) {
            bytes[i] = (byte) (id.hash() >>> (Long.SIZE - Byte.SIZE * (i + 1)));
        }
    }
}
