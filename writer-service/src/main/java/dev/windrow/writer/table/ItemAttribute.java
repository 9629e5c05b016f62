package dev.windrow.writer.table;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.windrow.aws.RequestWriter;
import dev.windrow.base.Decimals;

/** A value of an attribute, in DynamoDB's JSON. */
record ItemAttribute(String type, RequestWriter value) {

    static ItemAttribute text(String text) {
        return new ItemAttribute("S", json -> json.writeString(text));
    }

    static ItemAttribute number(long number) {
        return new ItemAttribute("N", json -> json.writeString(Long.toString(number)));
    }

    static ItemAttribute number(BigDecimal number) {
        return new ItemAttribute("N", json -> json.writeString(Decimals.canonical(number)));
    }

    static ItemAttribute bytes(byte[] bytes) {
        return new ItemAttribute("B", json -> json.writeBinary(bytes));
    }

    /** An id in a slot. */
    static ItemAttribute id(long id) {
        return bytes(bytesOf(id));
    }

    /** A set of ids, at least one. */
    static ItemAttribute ids(long[] ids) {
        return new ItemAttribute("BS", json -> {
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

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeFieldName(type);
        value.write(json);
        json.writeEndObject();
    }
}
