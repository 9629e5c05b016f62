package dev.windrow.gather.read;

import java.util.List;
import java.util.Map;

import io.smallrye.mutiny.Uni;

/** Reads single items of the table by their keys. */
public interface ItemReader {

    /**
     * Reads items, or fails with a {@link GatherException}. Cancelling it cancels the requests.
     *
     * @param keys without duplicates
     * @param attributes to read, including those of the keys; empty for all
     * @param consistent whether all writes acknowledged before must be seen
     */
    Uni<Items> read(List<ItemKey> keys, List<String> attributes, boolean consistent);

    /**
     * Items that were found.
     *
     * @param texts the attribute values of each item; the items are in no order
     */
    record Items(List<Map<String, String>> texts, double readUnits) {
    }

}
