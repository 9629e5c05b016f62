package dev.windrow.writer.operate;

import java.util.Map;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

sealed interface ItemChange {

    /** Sets attributes to these values; at least one. */
    record Set(Map<String, AttributeValue> attributes) implements ItemChange {
    }

    record Remove(String attribute) implements ItemChange {
    }

    record Delete() implements ItemChange {
    }
}
