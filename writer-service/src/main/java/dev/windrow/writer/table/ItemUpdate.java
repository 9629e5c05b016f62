package dev.windrow.writer.table;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.windrow.aws.AwsJsonClient.RequestWriter;
import dev.windrow.dataset.Decimals;

/**
 * An update of one item, built attribute by attribute. Uses placeholders for attribute names, since DynamoDB reserves
 * hundreds of words. Not thread-safe while it is being built.
 */
public final class ItemUpdate {

    private static final int UNIT_BYTES = 1_024;

    private final String partitionKey;
    private final String sortKey;
    private final List<String> names = new ArrayList<>();
    private final List<Attribute> values = new ArrayList<>();
    private final StringJoiner set = new StringJoiner(", ", "SET ", " ").setEmptyValue("");
    private final StringJoiner add = new StringJoiner(", ", "ADD ", " ").setEmptyValue("");
    private final StringJoiner remove = new StringJoiner(", ", "REMOVE ", " ").setEmptyValue("");
    private String condition = "";
    private boolean returnsItem;
    private int bytes;

    public ItemUpdate(String partitionKey, String sortKey) {
        this.partitionKey = partitionKey;
        this.sortKey = sortKey;
    }

    ItemUpdate set(String attribute, Attribute value) {
        set.add(name(attribute) + " = " + value(value));
        return this;
    }

    /** Sets an attribute unless the item has it. */
    ItemUpdate keep(String attribute, Attribute value) {
        String name = name(attribute);
        set.add(name + " = if_not_exists(" + name + ", " + value(value) + ")");
        return this;
    }

    /** Adds to a number or a set. */
    ItemUpdate add(String attribute, Attribute value) {
        add.add(name(attribute) + " " + value(value));
        return this;
    }

    ItemUpdate remove(String attribute) {
        remove.add(name(attribute));
        return this;
    }

    /** Adds a condition on the item. If it does not hold, the failure contains the item. */
    ItemUpdate require(String demand) {
        condition = condition.isEmpty() ? demand : condition + " AND " + demand;
        return this;
    }

    /** Adds a condition on a number that the item must have. */
    ItemUpdate require(String attribute, String comparison, long number) {
        return require(name(attribute) + " " + comparison + " " + value(Attribute.number(number)));
    }

    /** Adds the condition that a number is missing or below a limit. */
    ItemUpdate requireBelow(String attribute, long limit) {
        String name = name(attribute);
        return require("(attribute_not_exists(" + name + ") OR " + name + " < " + value(Attribute.number(limit)) + ")");
    }

    /** Requests the item's state after the update. */
    ItemUpdate returningItem() {
        returnsItem = true;
        return this;
    }

    /** Sets the size of a large write, for its estimated write units. */
    ItemUpdate ofBytes(int many) {
        bytes = many;
        return this;
    }

    /** The placeholder of an attribute in conditions. */
    String name(String attribute) {
        int at = names.indexOf(attribute);
        if (at < 0) {
            at = names.size();
            names.add(attribute);
        }
        return "#" + at;
    }

    /** The placeholder of a value in conditions. */
    String value(Attribute value) {
        values.add(value);
        return ":" + (values.size() - 1);
    }

    public String partitionKey() {
        return partitionKey;
    }

    public String sortKey() {
        return sortKey;
    }

    /** Names of the attributes that the update reads or writes. */
    List<String> attributes() {
        return names;
    }

    /** Minimum write units that the update consumes, without transaction and indexes. */
    int estimatedUnits() {
        return 1 + bytes / UNIT_BYTES;
    }

    boolean returnsItem() {
        return returnsItem;
    }

    /** Writes the update's fields that follow table and key in DynamoDB's JSON protocol. */
    void write(JsonGenerator json) throws IOException {
        json.writeStringField("UpdateExpression", set.toString() + remove + add);
        if (!condition.isEmpty()) {
            json.writeStringField("ConditionExpression", condition);
            json.writeStringField("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
        }
        json.writeObjectFieldStart("ExpressionAttributeNames");
        for (int i = 0; i < names.size(); i++) {
            json.writeStringField("#" + i, names.get(i));
        }
        json.writeEndObject();
        if (!values.isEmpty()) {
            json.writeObjectFieldStart("ExpressionAttributeValues");
            for (int i = 0; i < values.size(); i++) {
                json.writeFieldName(":" + i);
                values.get(i).write(json);
            }
            json.writeEndObject();
        }
    }

    /** A value of an attribute, in DynamoDB's JSON. */
    record Attribute(String type, RequestWriter value) {

        static Attribute text(String text) {
            return new Attribute("S", json -> json.writeString(text));
        }

        static Attribute number(long number) {
            return new Attribute("N", json -> json.writeString(Long.toString(number)));
        }

        static Attribute number(BigDecimal number) {
            return new Attribute("N", json -> json.writeString(Decimals.canonical(number)));
        }

        static Attribute bytes(byte[] bytes) {
            return new Attribute("B", json -> json.writeBinary(bytes));
        }

        /** An id in a slot. */
        static Attribute id(long id) {
            return bytes(bytesOf(id));
        }

        /** A set of ids, at least one. */
        static Attribute ids(long[] ids) {
            return new Attribute("BS", json -> {
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
}
