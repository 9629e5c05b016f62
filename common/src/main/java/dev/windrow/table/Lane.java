package dev.windrow.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.table.Freshness.Watermark;
import dev.windrow.table.Freshness.WatermarkCodec;

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

    /** Encodes and decodes a lane's item, however its attributes are represented. Part of the storage format. */
    public static final class LaneCodec {

        /** The newest format among the unapplied records. */
        public static final String FORMAT = "format";
        /** The position of the record that holds deferred additions. */
        public static final String DEFERRED = "deferred";
        /** All attributes of a lane except its sort key. */
        public static final List<String> ATTRIBUTES = List.of(TableSchema.PK, TableSchema.LANE_EPOCH, TableSchema.LANE_BEAT,
                TableSchema.LANE_HOLDER, TableSchema.LANE_POSITION, TableSchema.LANE_APPLIED, FORMAT,
                TableSchema.LANE_WATERMARKS, TableSchema.LANE_PARKINGS, DEFERRED);

        /** Separates the entries of a list. */
        private static final String NEXT = ";";
        private static final String BETWEEN = " ";
        private static final int HEX = 16;
        private static final int PARKING_FIELDS = 6;

        private LaneCodec() {
        }

        public interface Attributes {

            /**
             * Returns a whole number; 0 if absent.
             *
             * @throws IllegalArgumentException if the attribute is anything else
             */
            long number(String attribute);

            /**
             * Returns a text; empty if absent.
             *
             * @throws IllegalArgumentException if the attribute is anything else
             */
            String text(String attribute);
        }

        /**
         * Decodes a lane; one without attributes has epoch 0.
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
     * Watches lanes for silent holders: an item that was not written for a lease, by the watcher's own clock, is abandoned. No
     * clocks are compared. A holder that was only paused is fenced when its lane is acquired. Not thread-safe.
     */
    public static final class LaneWatch {

        /** A lane's last known write, and since when no newer one was seen. */
        private record Sight(Lane lane, long sinceNanos) {
        }

        private final long leaseNanos;
        private final Map<Integer, Sight> sights = new HashMap<>();

        /** @param leaseNanos how long a holder may be silent */
        public LaneWatch(long leaseNanos) {
            this.leaseNanos = leaseNanos;
        }

        /** Notes the state of lanes that were read. */
        public void see(List<Lane> lanes, long nowNanos) {
            for (Lane lane : lanes) {
                Sight sight = sights.get(lane.number());
                boolean same = sight != null && sight.lane.epoch() == lane.epoch() && sight.lane.beat() == lane.beat();
                sights.put(lane.number(), new Sight(lane, same && sight != null ? sight.sinceNanos : nowNanos));
            }
        }

        /** Whether a lane has work that no writer does: it was released with work left, or its holder went silent. */
        public boolean isAbandoned(Lane lane, long nowNanos) {
            return lane.hasWork() && (!lane.isHeld() || isSilent(lane, nowNanos));
        }

        /** Whether a writer that needs a lane may take it. */
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
}
