package dev.windrow.bench.table;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The outcome of an update.
 *
 * @param code DynamoDB's word for it, as in a transaction's cancellation reasons
 * @param item before the update if its condition failed, after it if it was carried out
 * @param throttledBy the partition key that is out of capacity, if that is why
 */
public record Outcome(String code, ObjectNode item, @Nullable Resource throttledBy) {

    /** Nothing was wrong with it. */
    public static final String NONE = "None";
    /** Its condition does not hold. */
    public static final String CONDITION_FAILED = "ConditionalCheckFailed";
    /** Another transaction has the item. */
    public static final String CONFLICT = "TransactionConflict";
    /** A partition key is out of capacity. */
    public static final String THROTTLED = "ProvisionedThroughputExceeded";

    static Outcome of(String code) {
        return new Outcome(code, JsonNodeFactory.instance.objectNode(), null);
    }

    /** Throttled by a partition key. */
    public static Outcome throttled(Resource by) {
        return new Outcome(THROTTLED, JsonNodeFactory.instance.objectNode(), by);
    }

    /** Whether it is this update that failed. */
    public boolean isFailed() {
        return !code.equals(NONE);
    }
}
