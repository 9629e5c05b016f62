package dev.windrow.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.table.Freshness.Watermark;
import dev.windrow.table.Freshness.WatermarkCodec;

/**
 * A lane's item as read: a numbered seat from which one writer at a time claims messages.
 *
 * @param number from 0 to {@link #MAX_LANES}
 * @param epoch grows with each acquisition; only the last to acquire it may claim
 * @param beat grows with each write of the item, and identifies the last one
 * @param holder who acquired it last; empty if it was released
 * @param position of the last record, or where the last holder that claims began; 0 if there never was either; never goes back
 * @param applied all records up to this position are in all their buckets, or the rest of them is deferred
 * @param format the newest format among the records that are not applied
 * @param watermarks granularities that lag, each further than {@code applied}; others are whole. They cover every record up
 *        to {@code position}
 * @param parkings what of the records that are not applied goes to the dead-letter queue
 * @param deferred the position of the record that holds what buckets lack of earlier records; it counts only above
 *        {@code applied}
 * @param damage why the item cannot be read; empty if it can
 */
public record Lane(int number, long epoch, long beat, String holder, long position, long applied, int format,
        List<Watermark> watermarks, List<Parking> parkings, long deferred, String damage) {

    /** Maximum number of lanes, and so of writers at a time. A bucket's item keeps some ten bytes for each that wrote it. */
    public static final int MAX_LANES = TableSchema.MAX_LANES;

    /**
     * By how much the position moves ahead when a lane is acquired to claim on it: buckets that have later positions than the
     * lane's item, as in a replica or a restored table, would take new records for applied. More than a holder claims within
     * any lag: at a hundred claims a second, almost three hours.
     */
    public static final long GAP = 1_000_000;

    /** Of the epochs of one item: nobody acquires it sixteen million times. */
    private static final int EPOCH_BITS = 24;

    public Lane {
        watermarks = List.copyOf(watermarks);
        parkings = List.copyOf(parkings);
    }

    /** One whose item can be read. */
    public Lane(int number, long epoch, long beat, String holder, long position, long applied, int format,
            List<Watermark> watermarks, List<Parking> parkings) {
        this(number, epoch, beat, holder, position, applied, format, watermarks, parkings, 0, "");
    }

    /**
     * One whose item exists and cannot be read. Nothing of it is known to be applied, so it counts as one with work.
     *
     * @param damage why, for people
     */
    public static Lane unreadable(int number, String damage) {
        return new Lane(number, 0, 0, "", 0, -1, 0, List.of(), List.of(), 0, damage);
    }

    /** The first epoch of an item, by its own second: it cannot be mistaken for an earlier item of the same number. */
    public static long firstEpoch(long millis) {
        return (millis / 1_000) << EPOCH_BITS;
    }

    /** Whether this is the item that was acquired with an epoch, and has not been deleted and made anew since. */
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

    /** A lane as an item of the table, whatever represents its attributes. Part of the storage format. */
    public static final class LaneCodec {

        /** The newest format among the records that are not applied. */
        public static final String FORMAT = "format";
        /** The position of the record that holds deferred additions. */
        public static final String DEFERRED = "deferred";
        /** All attributes of a lane but its sort key. */
        public static final List<String> ATTRIBUTES = List.of(TableSchema.PK, TableSchema.LANE_EPOCH, TableSchema.LANE_BEAT,
                TableSchema.LANE_HOLDER, TableSchema.LANE_POSITION, TableSchema.LANE_APPLIED, FORMAT,
                TableSchema.LANE_WATERMARKS, TableSchema.LANE_PARKINGS, DEFERRED);

        /** Between the entries of a list. */
        private static final String NEXT = ";";
        private static final String BETWEEN = " ";
        private static final int HEX = 16;
        private static final int PARKING_FIELDS = 6;

        private LaneCodec() {
        }

        /** The attributes of an item. */
        public interface Attributes {

            /**
             * A whole number; 0 if there is none.
             *
             * @throws IllegalArgumentException if the attribute is anything else
             */
            long number(String attribute);

            /**
             * A text; empty if there is none.
             *
             * @throws IllegalArgumentException if the attribute is anything else
             */
            String text(String attribute);
        }

        /**
         * Reads a lane; one without attributes is of epoch 0.
         *
         * @throws IllegalArgumentException if no writer can have written it
         */
        public static Lane decode(int number, Attributes item) {
            return new Lane(number, item.number(TableSchema.LANE_EPOCH), item.number(TableSchema.LANE_BEAT),
                    item.text(TableSchema.LANE_HOLDER), item.number(TableSchema.LANE_POSITION),
                    item.number(TableSchema.LANE_APPLIED), (int) item.number(FORMAT),
                    WatermarkCodec.decode(item.text(TableSchema.LANE_WATERMARKS)),
                    parkings(item.text(TableSchema.LANE_PARKINGS)), item.number(DEFERRED), "");
        }

        /** The text of a lane's parkings; empty if there are none. */
        public static String encode(List<Parking> parkings) {
            return parkings.stream().map(parking -> Long.toHexString(parking.cell()) + BETWEEN
                    + Long.toHexString(parking.lastCell()) + BETWEEN + parking.first() + BETWEEN + parking.last() + BETWEEN
                    + parking.marked() + BETWEEN + parking.sent()).collect(Collectors.joining(NEXT));
        }

        private static List<Parking> parkings(String text) {
            return text.isEmpty() ? List.of()
                    : Stream.of(text.split(NEXT, -1)).map(entry -> parking(entry.split(BETWEEN, -1))).toList();
        }

        private static Parking parking(String[] fields) {
            if (fields.length < PARKING_FIELDS) {
                throw new IllegalArgumentException(
                        "expected a parking of " + PARKING_FIELDS + " fields, found " + fields.length);
            }
            return new Parking(Long.parseUnsignedLong(fields[0], HEX), Long.parseUnsignedLong(fields[1], HEX),
                    Long.parseLong(fields[2]), Long.parseLong(fields[3]), Boolean.parseBoolean(fields[4]),
                    Boolean.parseBoolean(fields[5]));
        }
    }

    /**
     * Watches lanes for holders that went silent: an item that was not written for a lease, by the watcher's own clock, is
     * abandoned. No clocks are compared. A holder that only slept is fenced when its lane is acquired. Not thread-safe.
     */
    public static final class LaneWatch {

        /** A lane's last known write, and since when nothing newer was seen. */
        private record Sight(Lane lane, long sinceNanos) {
        }

        private final long leaseNanos;
        private final Map<Integer, Sight> sights = new HashMap<>();

        /** @param leaseNanos how long a holder may be silent */
        public LaneWatch(long leaseNanos) {
            this.leaseNanos = leaseNanos;
        }

        /** Notes lanes as they were read. */
        public void see(List<Lane> lanes, long nowNanos) {
            for (Lane lane : lanes) {
                Sight sight = sights.get(lane.number());
                boolean same = sight != null && sight.lane.epoch() == lane.epoch() && sight.lane.beat() == lane.beat();
                sights.put(lane.number(), new Sight(lane, same && sight != null ? sight.sinceNanos : nowNanos));
            }
        }

        /** Whether a lane has work that no writer does: released with work left, or its holder went silent. */
        public boolean isAbandoned(Lane lane, long nowNanos) {
            return lane.hasWork() && (!lane.isHeld() || isSilent(lane, nowNanos));
        }

        /** Whether a lane may be taken by a writer that needs one. */
        public boolean isFree(Lane lane, long nowNanos) {
            return !lane.hasWork() && (!lane.isHeld() || isSilent(lane, nowNanos));
        }

        private boolean isSilent(Lane lane, long nowNanos) {
            Sight sight = sights.get(lane.number());
            return sight != null && sight.lane.epoch() == lane.epoch() && sight.lane.beat() == lane.beat()
                    && nowNanos - sight.sinceNanos >= leaseNanos;
        }
    }

    /**
     * Additions of a lane that will not be applied, as their item cannot take them: they go to the dead-letter queue instead.
     *
     * @param cell the hash of what they would have been added to; the lowest one of several, as unsigned numbers
     * @param lastCell the highest one, as earlier versions listed several; nothing in between lacks anything up to the last
     *        position but what is parked
     * @param first the first position whose addition is parked
     * @param last the last such position
     * @param marked whether the item itself says that they are not to be applied; only earlier versions listed others
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

        /** The same once it is in the dead-letter queue. */
        public Parking asSent() {
            return new Parking(cell, lastCell, first, last, marked, true);
        }
    }
}
