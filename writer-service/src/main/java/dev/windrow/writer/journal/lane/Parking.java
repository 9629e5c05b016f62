package dev.windrow.writer.journal.lane;

/**
 * Additions of a lane that will not be applied, as their item cannot take them: they go to the dead-letter queue instead.
 *
 * @param cell the hash of what they would have been added to; the lowest one of several, as unsigned numbers
 * @param lastCell the highest one; nothing in between lacks anything up to the last position but what is parked
 * @param first the first position whose addition is parked
 * @param last the last such position
 * @param marked whether the item itself says that they are not to be applied
 * @param sent whether they are known to be in the dead-letter queue
 */
public record Parking(long cell, long lastCell, long first, long last, boolean marked, boolean sent) {

    /** Of one cell. */
    public static Parking of(long cell, long first, long last, boolean marked, boolean sent) {
        return new Parking(cell, cell, first, last, marked, sent);
    }

    /** Whether it covers a position of that cell. */
    public boolean covers(long hash, long position) {
        return Long.compareUnsigned(cell, hash) <= 0 && Long.compareUnsigned(hash, lastCell) <= 0 && first <= position
                && position <= last;
    }

    /** One that covers both, and all cells in between. */
    public Parking with(Parking other) {
        return new Parking(Long.compareUnsigned(cell, other.cell) < 0 ? cell : other.cell,
                Long.compareUnsigned(lastCell, other.lastCell) > 0 ? lastCell : other.lastCell,
                Math.min(first, other.first), Math.max(last, other.last), marked && other.marked, sent && other.sent);
    }
}
