package dev.windrow.bench.table;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.partition.Resource;

/**
 * What became of an update.
 *
 * @param code DynamoDB's word for it, as in a transaction's cancellation reasons
 * @param item before the update if its condition failed, after it if it was carried out
 * @param throttledBy the partition key that is out of capacity, if that is why
 */
public record Outcome(String code, Map<String, Value> item, @Nullable Resource throttledBy) {

    /** Nothing was wrong with it. */
    public static final String NONE = "None";
    /** Its condition does not hold. */
    public static final String CONDITION_FAILED = "ConditionalCheckFailed";
    /** Another transaction has the item. */
    public static final String CONFLICT = "TransactionConflict";
    /** A partition key is out of capacity. */
    public static final String THROTTLED = "ProvisionedThroughputExceeded";

    static Outcome of(String code) {
        return new Outcome(code, Map.of(), null);
    }

    /** Whether it is this update that failed. */
    public boolean isFailed() {
        return !code.equals(NONE);
    }
}
