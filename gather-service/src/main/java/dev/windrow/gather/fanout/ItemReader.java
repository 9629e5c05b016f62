package dev.windrow.gather.fanout;

import java.util.List;
import java.util.Map;

import io.smallrye.mutiny.Uni;

/** Reads single items of the table by their keys. */
public interface ItemReader {

    /**
     * Reads items, or fails with a {@link GatherException}. Cancelling it gives up the requests.
     *
     * @param keys without duplicates
     * @param attributes to read, those of the keys among them; all if there are none
     * @param consistent whether all writes answered before must be seen
     */
    Uni<Items> read(List<ItemKey> keys, List<String> attributes, boolean consistent);

    /** The key of an item. */
    record ItemKey(String partitionKey, String sortKey) {
    }

    /**
     * Items that were found.
     *
     * @param texts the values of their attributes, in no order
     * @param readUnits read units consumed
     */
    record Items(List<Map<String, String>> texts, double readUnits) {
    }
}
