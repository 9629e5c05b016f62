package dev.windrow.writer.table;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasurePartReader;
import dev.windrow.dataset.MeasurePartWriter;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.AwsLimits;
import dev.windrow.table.Lane;
import dev.windrow.table.LaneCodec;
import dev.windrow.table.TableSchema;
import dev.windrow.table.WatermarkCodec;
import dev.windrow.writer.journal.Cuts;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.journal.Slot;
import dev.windrow.writer.journal.SlotContent;
import dev.windrow.writer.journal.SlotUpdate;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.IndexKey;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Converts the journal's requests into item updates, and items into answers: lanes, claims (cuts, slots, and the chunks of
 * records) and buckets.
 */
public final class JournalItems {

    static final String DATA = "data";
    static final String CHUNKS = "chunks";
    private static final String SLOTS = "slots";
    private static final String RECORD = "~record";
    private static final String CUT = "~cut";
    private static final String SLOT = "~slot";
    /** Precedes a slot's path, since a sort key must not be empty. */
    private static final String ROOT = "/";
    private static final int NANO_DIGITS = 9;

    private JournalItems() {
    }

    public static Map<String, AttributeValue> key(String partitionKey, String sortKey) {
        return Map.of(TableSchema.PK, AttributeValue.fromS(partitionKey), TableSchema.SK, AttributeValue.fromS(sortKey));
    }

    /** Sets a lane's holder and epoch, and its position if one is given, if its epoch and beat are still as seen. */
    static ItemUpdate acquire(Request.AcquireLane acquire) {
        ItemUpdate update = new ItemUpdate(TableSchema.lanePartitionKey(acquire.lane()), TableSchema.LANE_SK)
                .set(TableSchema.LANE_EPOCH, ItemAttribute.number(acquire.epoch()))
                .set(TableSchema.LANE_BEAT, ItemAttribute.number(acquire.seenBeat() + 1))
                .set(TableSchema.LANE_HOLDER, ItemAttribute.text(acquire.holder()))
                .returningItem();
        if (acquire.position() > 0) {
            update.set(TableSchema.LANE_POSITION, ItemAttribute.number(acquire.position()))
                    .set(TableSchema.LANE_APPLIED, ItemAttribute.number(acquire.position()));
        }
        return acquire.seenEpoch() == 0 ? update.require("attribute_not_exists(" + update.name(TableSchema.LANE_EPOCH) + ")")
                : update.require(TableSchema.LANE_EPOCH, "=", acquire.seenEpoch())
                        .require(TableSchema.LANE_BEAT, "=", acquire.seenBeat());
    }

    /** Writes a lane's item if its epoch and position are those that the holder knows, and its beat is older. */
    static ItemUpdate write(LaneUpdate lane) {
        return new ItemUpdate(TableSchema.lanePartitionKey(lane.lane()), TableSchema.LANE_SK)
                .set(TableSchema.LANE_BEAT, ItemAttribute.number(lane.beat()))
                .set(TableSchema.LANE_APPLIED, ItemAttribute.number(lane.applied()))
                .set(TableSchema.LANE_WATERMARKS, ItemAttribute.text(WatermarkCodec.encode(lane.watermarks())))
                .set(TableSchema.LANE_PARKINGS, ItemAttribute.text(LaneCodec.encode(lane.parkings())))
                .require(TableSchema.LANE_EPOCH, "=", lane.epoch()).require(TableSchema.LANE_BEAT, "<", lane.beat())
                .require(TableSchema.LANE_POSITION, "=", lane.position());
    }

    /** Like {@link #write}, and sets the lane's position and format to those of the claimed record. */
    static ItemUpdate claim(Request.ClaimMessages claim) {
        ItemUpdate update = write(claim.update()).set(TableSchema.LANE_POSITION, ItemAttribute.number(claim.position()))
                .set(LaneCodec.FORMAT, ItemAttribute.number(claim.format()));
        return claim.deferral() ? update.set(LaneCodec.DEFERRED, ItemAttribute.number(claim.position())) : update;
    }

    /** Reads a lane: epoch 0 if its item does not exist, unreadable if no writer of this release can have written it. */
    public static Lane lane(int number, Map<String, AttributeValue> attributes) {
        try {
            StoredItem item = new StoredItem(attributes);
            Lane lane = LaneCodec.decode(number, item);
            // Without an epoch, the lane would be taken for a missing one and start over.
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

    private static String joined(Object... parts) {
        return Stream.of(parts).map(String::valueOf).collect(Collectors.joining(String.valueOf(KeyCodec.SEPARATOR)));
    }

    static String recordKey(int lane, long position) {
        return joined(RECORD, lane, position);
    }

    static ItemUpdate chunk(Request.ClaimMessages claim, int number) {
        byte[] chunk = claim.chunks().get(number);
        return new ItemUpdate(recordKey(claim.update().lane(), claim.position()), Integer.toString(number))
                .set(DATA, ItemAttribute.bytes(chunk)).set(CHUNKS, ItemAttribute.number(claim.chunks().size()))
                .set(TableSchema.TTL, ItemAttribute.number(claim.expires())).ofBytes(chunk.length);
    }

    /**
     * The number of chunks of a record according to its first one; 0 if that does not exist. If no claim can have written
     * the number, it is 1: reading the first chunk alone shows whether it is the whole record.
     */
    static long chunks(StoredItem first) {
        try {
            long chunks = first.number(CHUNKS);
            return chunks <= AwsLimits.TRANSACTION_ITEMS ? chunks : 1;
        } catch (IllegalArgumentException e) {
            return 1;
        }
    }

    /** Cuts a minute into slots unless it is cut already, and moves its expiry forward. */
    static ItemUpdate cut(Request.CutSlots cut) {
        return new ItemUpdate(joined(CUT, cut.key().kind().word(), cut.key().minute()), SLOTS)
                .keep(SLOTS, ItemAttribute.number(cut.slots())).set(TableSchema.TTL, ItemAttribute.number(cut.expires()))
                .requireBelow(TableSchema.TTL, cut.expires()).returningItem();
    }

    static Answer.Cut cut(Map<String, AttributeValue> attributes) {
        StoredItem item = new StoredItem(attributes);
        try {
            long slots = item.number(SLOTS);
            return slots >= 1 && slots <= Cuts.MAX_SLOTS ? new Answer.Cut((int) slots, item.number(TableSchema.TTL))
                    : new Answer.Cut(0, 0, "expected " + SLOTS + " from 1 to " + Cuts.MAX_SLOTS + ", found " + slots);
        } catch (IllegalArgumentException e) {
            return new Answer.Cut(0, 0, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Adds ids to a slot if it holds none of them and is not full, or if it holds exactly as many ids as its writer has seen.
     * Without ids, only extends the life of a full slot.
     */
    static ItemUpdate slot(SlotUpdate slot) {
        ItemUpdate update = new ItemUpdate(
                joined(SLOT, slot.slot().cut().kind().word(), slot.slot().cut().minute(), slot.slot().index()),
                ROOT + slot.slot().path()).set(TableSchema.TTL, ItemAttribute.number(slot.expires()));
        String held = update.name(TableSchema.CLAIMED_IDS);
        if (slot.ids().length == 0) {
            return update.require("attribute_exists(" + held + ")");
        }
        update.add(TableSchema.CLAIMED_IDS, ItemAttribute.ids(slot.ids()));
        String none = "attribute_not_exists(" + held + ")";
        if (slot.holds() == 0) {
            return update.require(none);
        }
        // An attribute of another type is not a writer's; the failed condition returns the item, which shows that.
        String size = "attribute_type(" + held + "," + update.value(ItemAttribute.text("BS")) + ") AND size(" + held + ")";
        if (slot.holds() != SlotUpdate.NAMED) {
            return update.require(size + " = " + update.value(ItemAttribute.number(slot.holds())));
        }
        StringJoiner known = new StringJoiner(" OR ", "NOT (", ")");
        for (long id : slot.ids()) {
            known.add("contains(" + held + "," + update.value(ItemAttribute.id(id)) + ")");
        }
        return update.require("(" + none + " OR (" + size + " < " + update.value(ItemAttribute.number(slot.fullAt())) + "))")
                .require(known.toString());
    }

    static SlotContent content(Slot slot, Map<String, AttributeValue> attributes) {
        StoredItem item = new StoredItem(attributes);
        try {
            return new SlotContent(slot, item.ids(TableSchema.CLAIMED_IDS), item.number(TableSchema.TTL));
        } catch (IllegalArgumentException e) {
            return SlotContent.damaged(slot, String.valueOf(e.getMessage()));
        }
    }

    /** Adds counts and sums if the item has no position of the lane, or one below {@code first}. */
    static ItemUpdate sums(Request.ApplySums sums, DeclaredAttributes declared) {
        ItemUpdate update = positioned(sums.item(), declared, sums.lane(), sums.first(), sums.last());
        for (Change change : sums.changes()) {
            parts(change).forEach((part, number) -> update.add(part.attribute(change.measure()), number));
        }
        // DynamoDB does not charge for returning the item.
        return sums.extremes().isEmpty() ? update : update.returningItem();
    }

    /** The answer after sums were added: the measures of which the item already has an extreme at least as good. */
    static Answer.OfUpdate done(Request.ApplySums sums, Map<String, AttributeValue> attributes) {
        StoredItem item = new StoredItem(attributes);
        return sums.extremes().isEmpty() ? Answer.DONE
                : new Answer.AppliedKeeping(sums.extremes().stream().filter(extreme -> isHeld(extreme, item))
                        .map(Change::measure).collect(Collectors.toSet()));
    }

    private static boolean isHeld(Change extreme, StoredItem item) {
        StoredParts parts = new StoredParts(item, extreme.measure());
        if (!parts.hasAll(extreme.kind().parts())) {
            return false;
        }
        MeasureValue stored = extreme.kind().read(parts);
        MeasureValue best = extreme.kind().combine(stored, extreme.value());
        return best.value().compareTo(stored.value()) == 0 && Objects.equals(best.time(), stored.time());
    }

    private record StoredParts(StoredItem item, String measure) implements MeasurePartReader {

        boolean hasAll(List<MeasurePart> parts) {
            return parts.stream().allMatch(part -> item.decimal(part.attribute(measure)) != null);
        }

        @Override
        public BigDecimal number(MeasurePart part) {
            return Objects.requireNonNull(item.decimal(part.attribute(measure)));
        }

        @Override
        public Instant time(MeasurePart part) {
            BigDecimal seconds = number(part);
            return Instant.ofEpochSecond(0, 0).plus(Duration.ofSeconds(seconds.longValue()))
                    .plusNanos(seconds.remainder(BigDecimal.ONE).movePointRight(NANO_DIGITS).longValue());
        }
    }

    /** The parts of a change's value as attributes of an item. */
    private static Map<MeasurePart, ItemAttribute> parts(Change change) {
        Map<MeasurePart, ItemAttribute> parts = new EnumMap<>(MeasurePart.class);
        change.kind().write(change.value(), new MeasurePartWriter() {
            @Override
            public void number(MeasurePart part, BigDecimal number) {
                parts.put(part, ItemAttribute.number(number));
            }

            @Override
            public void time(MeasurePart part, Instant time) {
                parts.put(part, ItemAttribute.number(seconds(time)));
            }
        });
        return parts;
    }

    /** Sets the lane's position without adding anything, as if the additions up to it were applied. */
    static ItemUpdate mark(int lane, Request.ParkItem.Mark mark, DeclaredAttributes declared) {
        return positioned(mark.item(), declared.withoutRanks(), lane, mark.first(), mark.last());
    }

    private static ItemUpdate positioned(BucketItem item, DeclaredAttributes declared, int lane, long first, long last) {
        String position = TableSchema.lanePosition(lane);
        return keyed(item, declared).set(position, ItemAttribute.number(last)).requireBelow(position, first);
    }

    /** Writes an extreme if it beats the item's, or if the item has none. */
    static ItemUpdate extreme(Request.ApplyExtreme extreme, DeclaredAttributes declared) {
        Change change = extreme.change();
        ItemUpdate update = keyed(extreme.item(), declared);
        Map<MeasurePart, ItemAttribute> parts = parts(change);
        parts.forEach((part, number) -> update.set(part.attribute(change.measure()), number));
        // Built from the last part: each part decides only if the parts before it are equal.
        String beaten = "";
        String name = "";
        for (int i = change.kind().order().size() - 1; i >= 0; i--) {
            MeasurePart part = change.kind().order().get(i);
            name = update.name(part.attribute(change.measure()));
            String value = update.value(Objects.requireNonNull(parts.get(part)));
            String wins = value + " " + change.kind().wins() + " " + name;
            beaten = beaten.isEmpty() ? wins : wins + " OR (" + value + " = " + name + " AND " + beaten + ")";
        }
        return update.require("(attribute_not_exists(" + name + ") OR " + beaten + ")");
    }

    /**
     * Answers for an extreme that did not beat the item's; refused if the item's value cannot be compared, as no writer wrote
     * it.
     */
    static Answer.OfUpdate lost(Change change, Map<String, AttributeValue> attributes) {
        return change.kind().parts().stream().map(part -> part.attribute(change.measure()))
                .filter(name -> attributes.containsKey(name) && attributes.get(name).n() == null)
                .findFirst().<Answer.OfUpdate> map(name -> new Answer.Refused(Reason.REFUSED,
                        "expected a number as " + name + ", found another type"))
                .orElse(Answer.DONE);
    }

    /** Keeps existing index keys: changing them would move the item in the index, which costs two writes instead of one. */
    private static ItemUpdate keyed(BucketItem item, DeclaredAttributes declared) {
        ItemUpdate update = new ItemUpdate(item.partitionKey(), item.sortKey());
        // Set even if present: an unchanged value costs nothing, and items follow a changed declaration.
        declared.ranks(item.partitionKey(), item.sortKey())
                .forEach((attribute, key) -> update.set(attribute, ItemAttribute.text(key)));
        declared.expiry(item.partitionKey(), item.sortKey())
                .ifPresent(seconds -> update.set(TableSchema.TTL, ItemAttribute.number(seconds)));
        IndexKey index = item.index();
        return index == null ? update
                : update.keep(TableSchema.INDEX_PK, ItemAttribute.text(index.partitionKey()))
                        .keep(TableSchema.INDEX_SK, ItemAttribute.text(index.sortKey()));
    }

    /** The lane's position in an item; 0 if missing. @throws IllegalArgumentException if it is not a whole number */
    static long position(int lane, Map<String, AttributeValue> item) {
        return new StoredItem(item).number(TableSchema.lanePosition(lane));
    }

    /** An instant in exact decimal seconds since the epoch, as the table keeps it. */
    private static BigDecimal seconds(Instant time) {
        return BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
    }

}
