package dev.windrow.table;

/**
 * Additions of a lane that will not be applied, as their item cannot take them. They go to the dead-letter queue instead.
 *
 * @param cell the hash of the cell that they were meant for; of several cells, the lowest hash, as unsigned numbers
 * @param lastCell the highest hash, as earlier versions listed several cells; up to the last position, no cell in between
 *        lacks anything that is not parked
 * @param first the first position whose addition is parked
 * @param last the last such position
 * @param marked whether the item itself says that they are not to be applied; only earlier versions listed unmarked ones
 * @param sent whether they are known to be in the dead-letter queue
 */
public record Parking(long cell, long lastCell, long first, long last, boolean marked, boolean sent) {

    public static Parking of(long cell, long first, long last, boolean marked, boolean sent) {
        return new Parking(cell, cell, first, last, marked, sent);
    }

    public boolean covers(long hash, long position) {
        return Long.compareUnsigned(cell, hash) <= 0 && Long.compareUnsigned(hash, lastCell) <= 0 && first <= position
                && position <= last;
    }

    public Parking asSent() {
        return new Parking(cell, lastCell, first, last, marked, true);
    }
}
