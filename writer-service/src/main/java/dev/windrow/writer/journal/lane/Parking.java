package dev.windrow.writer.journal.lane;

/**
 * Additions of a lane that will not be applied, as their item cannot take them: they go to the dead-letter queue instead.
 *
 * @param cell the hash of what they would have been added to
 * @param first the first position whose addition is parked
 * @param last the last such position
 * @param marked whether the item itself says that they are not to be applied
 * @param sent whether they are known to be in the dead-letter queue
 */
public record Parking(long cell, long first, long last, boolean marked, boolean sent) {

    /** Whether it covers a position of that cell. */
    public boolean covers(long hash, long position) {
        return cell == hash && first <= position && position <= last;
    }
}
