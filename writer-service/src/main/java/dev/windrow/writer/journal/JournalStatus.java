package dev.windrow.writer.journal;

/**
 * The state of a writer's journal.
 *
 * @param lane the number of its lane, -1 if it has none
 * @param waitingUnits units that wait to be claimed
 * @param records records that are claimed and not completely applied
 * @param cells buckets, and extremes of buckets, that lack something
 * @param deferred cells whose items took no update for some time, so that later records do not wait for them
 * @param heapBytes estimated heap size of the cells, in bytes
 * @param claims number of claims that succeeded so far
 * @param duplicates number of units so far that had been claimed before
 * @param taken lanes that another writer cannot take as its seat, as last seen
 * @param abandoned lanes with work that no writer did, as last seen
 */
public record JournalStatus(int lane, int waitingUnits, int records, int cells, int deferred, long heapBytes, long claims,
        long duplicates, int taken, int abandoned, boolean recovering) {
}
