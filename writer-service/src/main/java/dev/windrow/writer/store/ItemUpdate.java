package dev.windrow.writer.store;

import java.io.IOException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonGenerator;

/** An update of one item, independent of any client, as most writes bypass the SDK. */
public interface ItemUpdate {

    /** The item's partition key. */
    String partitionKey();

    /** The item's sort key. */
    String sortKey();

    /** The item's partition key in the index; null if it has none, or none is written. */
    default @Nullable String indexPartitionKey() {
        return null;
    }

    /** Names of the attributes that it reads or writes. */
    List<String> attributes();

    /** Writes the fields of an update of DynamoDB's JSON protocol that follow table and key. */
    void write(JsonGenerator json) throws IOException;

    /** Minimum write units that it takes, without transaction and index. */
    default int estimatedUnits() {
        return 1;
    }

    /** Whether the receipt is to have the item's state after the update; not in a transaction. */
    default boolean returnsItem() {
        return false;
    }
}
