package dev.windrow.writer.table;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Conditions of a write did not hold, so none of it was applied. */
final class ConditionFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<Integer, Map<String, AttributeValue>> items;

    /** @param items the current state of the items whose condition failed, by the position of their update */
    ConditionFailedException(Map<Integer, Map<String, AttributeValue>> items) {
        super("conditions failed for updates " + items.keySet(), null, false, false);
        this.items = items;
    }

    public Map<Integer, Map<String, AttributeValue>> items() {
        return items;
    }
}
