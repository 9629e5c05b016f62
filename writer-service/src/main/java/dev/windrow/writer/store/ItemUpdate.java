package dev.windrow.writer.store;

/** What is done to one item of the table, in no client's terms: most writes go past the SDK. */
public sealed interface ItemUpdate permits BucketUpdate, LedgerNote {

    /** The item's partition key. */
    String partitionKey();

    /** The item's sort key. */
    String sortKey();
}
