package dev.windrow.writer.journal.claim;

/**
 * What a slot holds, as a refused claim shows it.
 *
 * @param slot which
 * @param ids all hashes in it; none if it does not exist
 * @param expires when it may be forgotten, in seconds since the epoch
 */
public record SlotContent(Slot slot, long[] ids, long expires) {
}
