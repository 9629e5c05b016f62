package dev.windrow.table;

import java.util.List;

/**
 * A lane as read from its item: a numbered seat from which one writer at a time claims messages.
 *
 * @param number from 0 to {@link #MAX_LANES}, exclusive
 * @param epoch grows with each acquisition; only the writer that acquired the lane last may claim
 * @param beat grows with each write of the item, and identifies the last write
 * @param holder the writer that acquired the lane last; empty if it was released
 * @param position the position of the last record, or where the last claiming holder began; 0 if there was neither; never
 *        decreases
 * @param applied all records up to this position are in all their buckets, or the rest of them is deferred
 * @param format the newest format among the unapplied records
 * @param watermarks lagging granularities, each further than {@code applied}; all others are complete. They account for every
 *        record up to {@code position}
 * @param parkings the additions of unapplied records that go to the dead-letter queue
 * @param deferred the position of the record with what buckets lack of earlier records; ignored unless above {@code applied}
 * @param damage why the item cannot be read; empty if it can
 */
public record Lane(int number, long epoch, long beat, String holder, long position, long applied, int format,
        List<Watermark> watermarks, List<Parking> parkings, long deferred, String damage) {

    /** Maximum number of lanes, and so of concurrent writers. A bucket stores some ten bytes for each lane that wrote it. */
    public static final int MAX_LANES = TableSchema.MAX_LANES;

    /**
     * How far the position jumps when a lane is acquired for claiming: otherwise, buckets with later positions than the lane's
     * item, as in a replica or a restored table, would take new records for applied. It is more than a holder claims within any
     * lag: at a hundred claims a second, almost three hours.
     */
    public static final long GAP = 1_000_000;

    /** The bits that count acquisitions of one item: nobody acquires it sixteen million times. */
    private static final int EPOCH_BITS = 24;

    public Lane {
        watermarks = List.copyOf(watermarks);
        parkings = List.copyOf(parkings);
    }

    /**
     * Returns a lane whose item exists but cannot be read. No record is known to be applied, so it counts as having work.
     *
     * @param damage the human-readable cause
     */
    public static Lane unreadable(int number, String damage) {
        return new Lane(number, 0, 0, "", 0, -1, 0, List.of(), List.of(), 0, damage);
    }

    /** The first epoch of an item, by the second of its creation: an earlier item of the same number cannot have had it. */
    public static long firstEpoch(long millis) {
        return (millis / 1_000) << EPOCH_BITS;
    }

    /** Whether this is the item acquired with an epoch, rather than one deleted and recreated since. */
    public boolean isSameItem(long acquired) {
        return epoch >> EPOCH_BITS == acquired >> EPOCH_BITS;
    }

    /** Whether its item can be read, or does not exist. */
    public boolean isReadable() {
        return damage.isEmpty();
    }

    /** Whether it has a holder, alive or not. */
    public boolean isHeld() {
        return !holder.isEmpty();
    }

    /** Whether it has, or may have, records that are not in all their buckets, or dead letters that were not sent. */
    public boolean hasWork() {
        return applied < position || !parkings.isEmpty();
    }

}
