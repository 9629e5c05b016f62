package dev.windrow.writer.aggregate;

/**
 * By what the ledger of a series knows a share again, at each redelivery of its message.
 *
 * @param second the slot's time in seconds since the epoch
 * @param slot the slot's number within that second
 * @param hash 64 bits that distinguish the share from others of its slot
 */
public record LedgerId(long second, int slot, long hash) {

    private static final long MILLIS = 1_000;

    /**
     * Of a message, or a part of one. The slot depends on the time: a flush holds messages that were sent one after the other,
     * and each slot that it touches costs a write.
     *
     * @param hash of what is the same at each delivery and differs between any two messages
     * @param millis when it was sent, in milliseconds since the epoch
     * @param slots the dataset's ledger slots
     */
    static LedgerId ofMessage(long hash, long millis, int slots) {
        return new LedgerId(Math.floorDiv(millis, MILLIS), (int) (Math.floorMod(millis, MILLIS) * slots / MILLIS), hash);
    }

    /**
     * Of an event. The slot depends on the hash: producers may send whole seconds only.
     *
     * @param hash of the event's id
     * @param millis the event's time, in milliseconds since the epoch
     * @param slots the dataset's ledger slots
     */
    static LedgerId ofEvent(long hash, long millis, int slots) {
        // The high half: the low bits already chose the key shard.
        return new LedgerId(Math.floorDiv(millis, MILLIS), (int) ((hash >>> 32) % slots), hash);
    }

    // Called for each share, and a record's generated methods cost several times as much.

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof LedgerId id && hash == id.hash && second == id.second && slot == id.slot);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(hash);
    }
}
