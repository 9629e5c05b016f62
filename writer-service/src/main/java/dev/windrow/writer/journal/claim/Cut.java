package dev.windrow.writer.journal.claim;

/**
 * How a minute is cut into slots. Decided once, by the first claim of that minute, and kept in the table: each redelivery
 * must map to the same slot.
 *
 * @param slots how many
 * @param expires when the table may forget it, in seconds since the epoch
 */
record Cut(int slots, long expires) {
}
