package dev.windrow.writer.store.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import dev.windrow.table.Freshness.WatermarkCodec;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.lane.Lane;
import dev.windrow.writer.journal.lane.Parking;
import dev.windrow.writer.journal.request.LaneUpdate;
import dev.windrow.writer.journal.request.Request;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Lanes as items. */
final class LaneItems {

    private static final String FORMAT = "format";
    private static final String DEFERRED = "deferred";

    /** Between the entries of a list. */
    private static final String NEXT = ";";
    private static final String BETWEEN = " ";
    private static final int HEX = 16;
    private static final int PARKING_FIELDS = 6;

    private LaneItems() {
    }

    /** Raises a lane's epoch, and its position if wanted, provided that its epoch and beat are as seen. */
    static AttributeUpdate acquire(Request.AcquireLane acquire) {
        AttributeUpdate update = new AttributeUpdate(TableSchema.lanePartitionKey(acquire.lane()), TableSchema.LANE_SK)
                .set(TableSchema.LANE_EPOCH, Attribute.number(acquire.seenEpoch() + 1))
                .set(TableSchema.LANE_BEAT, Attribute.number(acquire.seenBeat() + 1))
                .set(TableSchema.LANE_HOLDER, Attribute.text(acquire.holder()))
                .returningItem();
        if (acquire.position() > 0) {
            update.set(TableSchema.LANE_POSITION, Attribute.number(acquire.position()))
                    .set(TableSchema.LANE_APPLIED, Attribute.number(acquire.position()));
        }
        return acquire.seenEpoch() == 0 ? update.require("attribute_not_exists(" + update.name(TableSchema.LANE_EPOCH) + ")")
                : update.require(
                        update.name(TableSchema.LANE_EPOCH) + " = " + update.value(Attribute.number(acquire.seenEpoch())))
                        .require(update.name(TableSchema.LANE_BEAT) + " = "
                                + update.value(Attribute.number(acquire.seenBeat())));
    }

    /** Writes a lane's item, provided that the epoch is ours, the beat newer, and the position the one we know. */
    static AttributeUpdate write(LaneUpdate lane) {
        AttributeUpdate update = new AttributeUpdate(TableSchema.lanePartitionKey(lane.lane()), TableSchema.LANE_SK)
                .set(TableSchema.LANE_BEAT, Attribute.number(lane.beat()))
                .set(TableSchema.LANE_APPLIED, Attribute.number(lane.applied()))
                .set(TableSchema.LANE_WATERMARKS, Attribute.text(WatermarkCodec.encode(lane.watermarks())))
                .set(TableSchema.LANE_PARKINGS, Attribute.text(parkings(lane.parkings())));
        return update.require(update.name(TableSchema.LANE_EPOCH) + " = " + update.value(Attribute.number(lane.epoch())))
                .require(update.name(TableSchema.LANE_BEAT) + " < " + update.value(Attribute.number(lane.beat())))
                .require(update.name(TableSchema.LANE_POSITION) + " = " + update.value(Attribute.number(lane.position())));
    }

    /** Likewise, and removes the holder. */
    static AttributeUpdate release(LaneUpdate lane) {
        return write(lane).remove(TableSchema.LANE_HOLDER);
    }

    /** Likewise, and its position moves by one to that of a record of a format. */
    static AttributeUpdate claim(Request.ClaimMessages claim) {
        AttributeUpdate update = write(claim.update()).set(TableSchema.LANE_POSITION, Attribute.number(claim.position()))
                .set(FORMAT, Attribute.number(claim.format()));
        return claim.deferral() ? update.set(DEFERRED, Attribute.number(claim.position())) : update;
    }

    /** A lane; of epoch 0 if its item does not exist, and unreadable if no writer of this release can have written it. */
    static Lane lane(int number, Map<String, AttributeValue> attributes) {
        try {
            StoredItem item = new StoredItem(attributes);
            Lane lane = new Lane(number, item.number(TableSchema.LANE_EPOCH), item.number(TableSchema.LANE_BEAT),
                    item.text(TableSchema.LANE_HOLDER), item.number(TableSchema.LANE_POSITION),
                    item.number(TableSchema.LANE_APPLIED), (int) item.number(FORMAT),
                    WatermarkCodec.decode(item.text(TableSchema.LANE_WATERMARKS)),
                    parkings(item.text(TableSchema.LANE_PARKINGS)), item.number(DEFERRED), "");
            // Without its epoch it would be taken for one that does not exist, and start over.
            if (!item.isEmpty() && lane.epoch() < 1) {
                throw new IllegalArgumentException("expected an epoch above 0, found " + lane.epoch());
            }
            if (lane.applied() < 0 || lane.applied() > lane.position()) {
                throw new IllegalArgumentException("expected records that are applied up to a position from 0 to "
                        + lane.position() + ", found " + lane.applied());
            }
            if (lane.deferred() < 0 || lane.deferred() > lane.position()) {
                throw new IllegalArgumentException("expected additions that are deferred at a position from 0 to "
                        + lane.position() + ", found " + lane.deferred());
            }
            return lane;
        } catch (IllegalArgumentException e) {
            return Lane.unreadable(number, String.valueOf(e.getMessage()));
        }
    }

    private static String parkings(List<Parking> parkings) {
        StringJoiner text = new StringJoiner(NEXT);
        for (Parking parking : parkings) {
            text.add(Long.toHexString(parking.cell()) + BETWEEN + Long.toHexString(parking.lastCell()) + BETWEEN
                    + parking.first() + BETWEEN + parking.last() + BETWEEN
                    + parking.marked() + BETWEEN + parking.sent());
        }
        return text.toString();
    }

    private static List<Parking> parkings(String text) {
        List<Parking> parkings = new ArrayList<>();
        for (String[] parts : entries(text)) {
            if (parts.length < PARKING_FIELDS) {
                throw new IllegalArgumentException(
                        "expected a parking of " + PARKING_FIELDS + " fields, found " + parts.length);
            }
            parkings.add(new Parking(Long.parseUnsignedLong(parts[0], HEX), Long.parseUnsignedLong(parts[1], HEX),
                    Long.parseLong(parts[2]), Long.parseLong(parts[3]), Boolean.parseBoolean(parts[4]),
                    Boolean.parseBoolean(parts[5])));
        }
        return parkings;
    }

    private static List<String[]> entries(String text) {
        List<String[]> entries = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String entry : text.split(NEXT, -1)) {
                entries.add(entry.split(BETWEEN, -1));
            }
        }
        return entries;
    }
}
