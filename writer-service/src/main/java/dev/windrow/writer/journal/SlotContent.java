package dev.windrow.writer.journal;

import java.util.Arrays;
import java.util.stream.LongStream;

import dev.windrow.writer.record.ClaimId;

/**
 * The content of a slot, as a refused claim returns it.
 *
 * @param ids hashes in the slot, sorted; none if it does not exist
 * @param expires when it may be forgotten, in seconds since the epoch
 * @param damage why the item cannot be read or takes no ids; else empty
 */
public record SlotContent(Slot slot, long[] ids, long expires, String damage) {

    public SlotContent {
        ids = Arrays.stream(ids).sorted().toArray();
    }

    public SlotContent(Slot slot, long[] ids, long expires) {
        this(slot, ids, expires, "");
    }

    public static SlotContent damaged(Slot slot, String damage) {
        return new SlotContent(slot, new long[0], 0, damage);
    }

    /**
     * Returns this content with more ids. It keeps its expiry: a claim by name does not show whether the item is still the
     * one that was seen.
     */
    SlotContent with(long[] more) {
        return new SlotContent(slot, LongStream.concat(Arrays.stream(ids), Arrays.stream(more)).toArray(), expires);
    }

    boolean has(ClaimId id) {
        return Arrays.binarySearch(ids, id.hash()) >= 0;
    }
}
