package dev.windrow.writer.journal.claim;

/**
 * What a claim does to a slot: it adds ids, provided that the slot holds none of them and fewer than {@code fullAt} ids;
 * or, without ids, it keeps a full slot from expiring, provided that it exists.
 *
 * @param slot which
 * @param ids hashes to add, at most {@link #MAX_IDS}
 * @param fullAt number of ids at which a slot is full
 * @param expires when the slot may be forgotten, in seconds since the epoch
 */
public record SlotUpdate(Slot slot, long[] ids, int fullAt, long expires) {

    /** Maximum number of ids that one condition can name (DynamoDB: 300 operators, two of them for each id, and 4 KB). */
    public static final int MAX_IDS = 140;
}
