package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A conditional update of the item that holds the registered datasets. */
final class RegistryUpdate {

    private static final int MAX_SETS = 64;

    /** By attribute. */
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();
    private final StringBuilder condition;

    /** @param condition without names and values */
    RegistryUpdate(String condition) {
        this.condition = new StringBuilder(condition);
    }

    boolean isEmpty() {
        return sets.isEmpty() && removed.isEmpty();
    }

    /** Whether an expression, which DynamoDB limits to 4 KB, may have no room for another dataset. */
    boolean isFull() {
        return sets.size() >= MAX_SETS;
    }

    void set(String attribute, String text) {
        sets.add(name(attribute) + " = " + value(text));
    }

    void remove(String attribute) {
        removed.add(name(attribute));
    }

    /** @param text what the attribute must be; null if the item must not have it */
    void require(String attribute, @Nullable String text) {
        condition.append(" AND ").append(text == null ? "attribute_not_exists(" + name(attribute) + ")"
                : name(attribute) + " = " + value(text));
    }

    private String name(String attribute) {
        return names.computeIfAbsent(attribute, absent -> "#" + names.size());
    }

    private String value(String text) {
        String value = ":" + values.size();
        values.put(value, AttributeValue.fromS(text));
        return value;
    }

    UpdateItemRequest request(String table) {
        Map<String, String> attributes = new HashMap<>();
        names.forEach((attribute, name) -> attributes.put(name, attribute));
        return UpdateItemRequest.builder().tableName(table)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression(clause("SET ", sets) + clause(" REMOVE ", removed)).conditionExpression(condition.toString())
                .expressionAttributeNames(attributes).expressionAttributeValues(values.isEmpty() ? null : values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD).build();
    }

    private static String clause(String keyword, List<String> terms) {
        return terms.isEmpty() ? "" : keyword + String.join(", ", terms);
    }
}
