package dev.windrow.bench.server;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The outcome of an update.
 *
 * @param code DynamoDB's code for it, as in a transaction's cancellation reasons
 * @param item the item before the update if its condition failed, after it if it was applied
 */
public record Outcome(String code, ObjectNode item) {

    /** The update did not fail. */
    public static final String NONE = "None";
    /** Its condition was not met. */
    public static final String CONDITION_FAILED = "ConditionalCheckFailed";
    /** Another transaction holds the item. */
    public static final String CONFLICT = "TransactionConflict";

    /** Whether this update failed. */
    public boolean isFailed() {
        return !code.equals(NONE);
    }
}
