package dev.windrow.writer.journal;

/**
 * A claim's update of a slot. With ids, it adds them, provided that the slot holds none of them. Without ids, it extends
 * the expiry of a full slot, provided that the slot exists.
 *
 * @param ids hashes to add
 * @param holds number of ids that the slot must hold, none of which is among these; {@link #NAMED} if the condition names
 *        the ids, and requires that there are fewer than {@code fullAt} others
 * @param fullAt number of ids at which a slot is full
 * @param expires when the slot may be forgotten, in seconds since the epoch
 */
public record SlotUpdate(Slot slot, long[] ids, int holds, int fullAt, long expires) {

    public static final int NAMED = -1;
}
