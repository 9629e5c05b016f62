package dev.windrow.writer.store;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;

/** What is done to one item of the table, in no client's terms: most writes go past the SDK. */
public interface ItemUpdate {

    /** The item's partition key. */
    String partitionKey();

    /** The item's sort key. */
    String sortKey();

    /** Writes the fields of an update of DynamoDB's JSON protocol that follow table and key. */
    void write(JsonGenerator json) throws IOException;

    /** Write units that it takes at least, without transaction and index. */
    default int estimatedUnits() {
        return 1;
    }

    /** Whether the receipt is to hold the item as it is afterwards; not in a transaction. */
    default boolean returnsItem() {
        return false;
    }
}
