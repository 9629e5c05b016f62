package dev.windrow.writer.journal.apply;

import java.util.List;

import dev.windrow.writer.journal.record.Change;

/**
 * What consecutive records of a lane add to a cell.
 *
 * @param first the position of the first record that adds to it
 * @param last the position of the last such record
 * @param claimedMillis when the first was claimed
 * @param changes at most one of each measure
 */
record Part(long first, long last, long claimedMillis, List<Change> changes) {

    /** Whether the sums of both are numbers that DynamoDB holds. */
    boolean fitsWith(Part later) {
        return Change.fit(changes, later.changes);
    }

    /** Both in one. */
    Part with(Part later) {
        return new Part(first, later.last, claimedMillis, Change.merged(changes, later.changes));
    }
}
