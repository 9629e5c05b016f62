package dev.windrow.writer.store;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table's answer to a write.
 *
 * @param units write units consumed from table and index; 0 if the response does not say
 * @param item the item afterwards, if the update {@linkplain ItemUpdate#returnsItem() returns} it; else empty
 */
public record WriteResult(double units, Map<String, AttributeValue> item) {

    public WriteResult(double units) {
        this(units, Map.of());
    }
}
