package dev.windrow.writer.operate;

import java.util.Map;
import java.util.Optional;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Decides how to change each item. */
interface ItemVisitor {

    /** Returns the change that an item needs; empty for none. */
    Optional<ItemChange> change(Map<String, AttributeValue> item);

    /** Called after an item was changed, but not if it was deleted in the meantime. */
    default void changed(Map<String, AttributeValue> item, ItemChange change) {
    }
}
