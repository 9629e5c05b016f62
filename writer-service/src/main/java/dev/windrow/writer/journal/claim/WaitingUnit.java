package dev.windrow.writer.journal.claim;

/**
 * A unit that waits to be claimed, or is being claimed.
 *
 * @param unit what is claimed
 * @param message that it belongs to
 * @param number in order of coming
 */
record WaitingUnit(ClaimUnit unit, MessageState message, long number) {
}
