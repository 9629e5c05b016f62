package dev.windrow.writer.store.journal;

import java.util.Map;
import java.util.StringJoiner;

import dev.windrow.base.KeyCodec;
import dev.windrow.table.TableSchema;
import dev.windrow.table.TableSchema.AwsLimits;
import dev.windrow.writer.journal.claim.CutKey;
import dev.windrow.writer.journal.claim.Cuts;
import dev.windrow.writer.journal.claim.Slot;
import dev.windrow.writer.journal.claim.SlotContent;
import dev.windrow.writer.journal.claim.SlotUpdate;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What remembers claims, as items: cuts, slots, and the chunks of records. */
final class ClaimItems {

    static final String DATA = "data";
    static final String CHUNKS = "chunks";
    private static final String SLOTS = "slots";
    private static final String RECORD = "~record";
    private static final String CUT = "~cut";
    private static final String SLOT = "~slot";
    /** Before a slot's path, as a sort key must not be empty. */
    private static final String ROOT = "/";

    private ClaimItems() {
    }

    private static String key(Object... parts) {
        StringJoiner key = new StringJoiner(String.valueOf(KeyCodec.SEPARATOR));
        for (Object part : parts) {
            key.add(String.valueOf(part));
        }
        return key.toString();
    }

    static String recordKey(int lane, long position) {
        return key(RECORD, lane, position);
    }

    static String chunkKey(long chunk) {
        return Long.toString(chunk);
    }

    /** Puts a chunk of a record. */
    static AttributeUpdate chunk(Request.ClaimMessages claim, int number) {
        byte[] chunk = claim.chunks().get(number);
        return new AttributeUpdate(recordKey(claim.update().lane(), claim.position()), chunkKey(number))
                .set(DATA, Attribute.bytes(chunk)).set(CHUNKS, Attribute.number(claim.chunks().size()))
                .set(TableSchema.TTL, Attribute.number(claim.expires())).ofBytes(chunk.length);
    }

    /**
     * How many chunks a record has, as its first one says; none if that does not exist. One that says what no claim can have
     * written is read alone, which shows whether it is the whole record.
     */
    static long chunks(StoredItem first) {
        try {
            long chunks = first.number(CHUNKS);
            return chunks <= AwsLimits.TRANSACTION_ITEMS ? chunks : 1;
        } catch (IllegalArgumentException e) {
            return 1;
        }
    }

    /** Cuts a minute unless it is, and moves its expiry forward. */
    static AttributeUpdate cut(Request.CutSlots cut) {
        AttributeUpdate update = new AttributeUpdate(key(cut.key()), SLOTS)
                .keep(SLOTS, Attribute.number(cut.slots())).set(TableSchema.TTL, Attribute.number(cut.expires()))
                .returningItem();
        String expires = update.name(TableSchema.TTL);
        return update.require("(attribute_not_exists(" + expires + ") OR " + expires + " < "
                + update.value(Attribute.number(cut.expires())) + ")");
    }

    private static String key(CutKey cut) {
        return key(CUT, cut.kind().word(), cut.minute());
    }

    static Answer.CutIs cut(Map<String, AttributeValue> attributes) {
        StoredItem item = new StoredItem(attributes);
        try {
            long slots = item.number(SLOTS);
            return slots >= 1 && slots <= Cuts.MAX_SLOTS ? new Answer.CutIs((int) slots, item.number(TableSchema.TTL))
                    : new Answer.CutIs(0, 0, "expected " + SLOTS + " from 1 to " + Cuts.MAX_SLOTS + ", found " + slots);
        } catch (IllegalArgumentException e) {
            return new Answer.CutIs(0, 0, String.valueOf(e.getMessage()));
        }
    }

    /** Adds ids to a slot, provided that it holds none of them and is not full; or keeps a full one from expiring. */
    static AttributeUpdate slot(SlotUpdate slot) {
        AttributeUpdate update = new AttributeUpdate(
                key(SLOT, slot.slot().cut().kind().word(), slot.slot().cut().minute(), slot.slot().index()),
                ROOT + slot.slot().path()).set(TableSchema.TTL, Attribute.number(slot.expires()));
        String held = update.name(TableSchema.CLAIMED_IDS);
        if (slot.ids().length == 0) {
            return update.require("attribute_exists(" + held + ")");
        }
        update.add(TableSchema.CLAIMED_IDS, Attribute.ids(slot.ids()));
        String full = update.value(Attribute.number(slot.fullAt()));
        // Of another type, it is none of ours: the refusal shows it.
        String set = update.value(Attribute.text("BS"));
        StringJoiner known = new StringJoiner(" OR ", "NOT (", ")");
        for (long id : slot.ids()) {
            known.add("contains(" + held + "," + update.value(Attribute.id(id)) + ")");
        }
        return update
                .require("(attribute_not_exists(" + held + ") OR (attribute_type(" + held + "," + set + ") AND size(" + held
                        + ") < " + full + "))")
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
}
