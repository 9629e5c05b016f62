package dev.windrow.writer.store.journal;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.windrow.dataset.Decimals;

/** A value of an attribute, in DynamoDB's JSON. */
@FunctionalInterface
interface Attribute {

    /** Writes the value with its type. */
    void write(JsonGenerator json) throws IOException;

    static Attribute text(String text) {
        return json -> typed(json, "S", () -> json.writeString(text));
    }

    static Attribute number(long number) {
        return json -> typed(json, "N", () -> json.writeString(Long.toString(number)));
    }

    static Attribute number(BigDecimal number) {
        return json -> typed(json, "N", () -> json.writeString(Decimals.canonical(number)));
    }

    static Attribute bytes(byte[] bytes) {
        return json -> typed(json, "B", () -> json.writeBinary(bytes));
    }

    /** An id of a slot. */
    static Attribute id(long id) {
        return bytes(bytesOf(id));
    }

    /** A set of ids, at least one. */
    static Attribute ids(long[] ids) {
        return json -> typed(json, "BS", () -> {
            json.writeStartArray();
            for (long id : ids) {
                json.writeBinary(bytesOf(id));
            }
            json.writeEndArray();
        });
    }

    private static byte[] bytesOf(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }

    private static void typed(JsonGenerator json, String type, Body body) throws IOException {
        json.writeStartObject();
        json.writeFieldName(type);
        body.write();
        json.writeEndObject();
    }

    /** What follows the type. */
    interface Body {

        void write() throws IOException;
    }
}
