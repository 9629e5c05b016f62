package dev.windrow.table;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Encodes and decodes a lane's item, however its attributes are represented. Part of the storage format. */
public final class LaneCodec {

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
