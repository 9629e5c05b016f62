package dev.windrow.local.fault;

/** Why DynamoDB cancels a transaction: a reason of one of its items (API reference, "TransactWriteItems"). */
public enum Cancellation {

    /** The item's partition is throttled, on a table with on-demand capacity. */
    THROTTLED("ThrottlingError", "Throughput exceeds the current capacity of your table or index."),

    /** The item's partition is throttled, on a table with provisioned capacity. */
    THROUGHPUT_EXCEEDED("ProvisionedThroughputExceeded",
            "The level of configured provisioned throughput for the table was exceeded."),

    /** Another request works on the item. */
    CONFLICT("TransactionConflict", "Transaction is ongoing for the item"),

    /** The item's condition does not hold. */
    CONDITION_FAILED("ConditionalCheckFailed", "The conditional request failed");

    private final String code;
    private final String message;

    Cancellation(String code, String message) {
        this.code = code;
        this.message = message;
    }

    /** As in the answer's {@code CancellationReasons}. */
    public String code() {
        return code;
    }

    /** The text beside the code. */
    public String message() {
        return message;
    }
}
