package dev.windrow.writer.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

import com.fasterxml.jackson.core.JsonGenerator;

/**
 * An update of one item, built attribute by attribute. Uses placeholders for attribute names, since DynamoDB reserves
 * hundreds of words. Not thread-safe while it is being built.
 */
public final class ItemUpdate {

    private static final int UNIT_BYTES = 1_024;

    private final String partitionKey;
    private final String sortKey;
    private final List<String> names = new ArrayList<>();
    private final List<ItemAttribute> values = new ArrayList<>();
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

    ItemUpdate set(String attribute, ItemAttribute value) {
        set.add(name(attribute) + " = " + value(value));
        return this;
    }

    /** Sets an attribute unless the item has it. */
    ItemUpdate keep(String attribute, ItemAttribute value) {
        String name = name(attribute);
        set.add(name + " = if_not_exists(" + name + ", " + value(value) + ")");
        return this;
    }

    /** Adds to a number or a set. */
    ItemUpdate add(String attribute, ItemAttribute value) {
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
        return require(name(attribute) + " " + comparison + " " + value(ItemAttribute.number(number)));
    }

    /** Adds the condition that a number is missing or below a limit. */
    ItemUpdate requireBelow(String attribute, long limit) {
        String name = name(attribute);
        return require("(attribute_not_exists(" + name + ") OR " + name + " < " + value(ItemAttribute.number(limit)) + ")");
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
    String value(ItemAttribute value) {
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

}
