package dev.windrow.writer.aggregate;

import dev.windrow.scatter.Hashes;

/**
 * By what the ledger of a series knows a share again, at each redelivery of its message.
 *
 * @param second the slot's time in seconds since the epoch
 * @param slot the slot's number within that second
 * @param hash 64 bits that tell the share from others of its slot
 */
public record LedgerId(long second, int slot, long hash) {

    /**
     * @param identity what is the same at each delivery and differs between any two messages or events
     * @param millis a time that goes with the identity
     * @param slots the dataset's ledger slots
     */
    public static LedgerId of(String identity, long millis, int slots) {
        long hash = Hashes.hash64(identity);
        // The high half: the low bits already chose the key shard.
        return new LedgerId(Math.floorDiv(millis, 1_000L), (int) ((hash >>> 32) % slots), hash);
    }
}
