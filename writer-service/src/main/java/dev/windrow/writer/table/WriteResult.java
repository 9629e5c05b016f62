package dev.windrow.writer.table;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table's answer to a write.
 *
 * @param units write units consumed from table and indexes; 0 if the response does not say
 * @param indexUnits write units consumed from each index, by its name
 * @param item the item after the update, if the update {@linkplain ItemUpdate#returnsItem() returns} it; else empty
 */
record WriteResult(double units, Map<String, Double> indexUnits, Map<String, AttributeValue> item) {
}
