package dev.windrow.writer.journal.claim;

/**
 * What a slot holds, as a refused claim shows it.
 *
 * @param slot which
 * @param ids all hashes in it; none if it does not exist
 * @param expires when it may be forgotten, in seconds since the epoch
 * @param damage why the item cannot be read, or takes no id; empty if it can and does
 */
public record SlotContent(Slot slot, long[] ids, long expires, String damage) {

    /** One that can be read. */
    public SlotContent(Slot slot, long[] ids, long expires) {
        this(slot, ids, expires, "");
    }

    /** One that cannot. */
    public static SlotContent damaged(Slot slot, String damage) {
        return new SlotContent(slot, new long[0], 0, damage);
    }
}
