package dev.windrow.table;

/** Limits of DynamoDB and SQS that Windrow's formats depend on (developer guides, "Quotas" and "Service limits"). */
public final class AwsLimits {

    /** Maximum length of a partition key of a table or index, in UTF-8 bytes. */
    public static final int PARTITION_KEY_BYTES = 2_048;

    /** Maximum length of a sort key of a table or index, in UTF-8 bytes. */
    public static final int SORT_KEY_BYTES = 1_024;

    /** Maximum size of an item, names and values together, in bytes. */
    public static final int ITEM_BYTES = 400 * 1_024;

    /** Maximum number of items of one transaction. */
    public static final int TRANSACTION_ITEMS = 100;

    /** Maximum number of messages of one receive, send or delete batch. */
    public static final int QUEUE_BATCH = 10;

    /** Maximum size of a message, its body and attributes together, in bytes; a queue may have a smaller one. */
    public static final int MESSAGE_BYTES = 1_024 * 1_024;

    private AwsLimits() {
    }
}
