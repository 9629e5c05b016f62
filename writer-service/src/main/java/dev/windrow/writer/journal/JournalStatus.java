package dev.windrow.writer.journal;

/**
 * What a writer's journal holds.
 *
 * @param lane the number of its lane, -1 if it has none
 * @param waitingUnits units that wait to be claimed
 * @param records records that are claimed and not completely applied
 * @param cells buckets, and extremes of buckets, that lack something
 * @param deferred those of them whose items took no update for some time, so that later records do not wait for them
 * @param heapBytes estimated heap size of the cells, in bytes
 * @param claims that succeeded so far
 * @param duplicates units so far that were claimed before
 * @param taken lanes that are no seat for another writer, as last seen
 * @param abandoned lanes whose work no writer did, as last seen
 * @param recovering whether it recovers another lane
 */
public record JournalStatus(int lane, int waitingUnits, int records, int cells, int deferred, long heapBytes, long claims,
        long duplicates, int taken, int abandoned, boolean recovering) {
}
