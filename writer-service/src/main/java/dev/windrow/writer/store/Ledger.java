package dev.windrow.writer.store;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.key.KeyCodec;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.LedgerId;
import dev.windrow.writer.aggregate.Share;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The ledger slots of a series: items beside its buckets that hold the ids of applied shares. A slot's time is its
 * messages' own, so that every redelivery meets the same slot. An id is the 64-bit hash of what is the same at each
 * delivery; two of a slot's thousands being equal by chance is less likely than losing the disk it is kept on.
 */
public final class Ledger {

    /** Sorts slots after all buckets: granularities begin with letters and digits. */
    private static final String PREFIX = "~";

    private final String table;
    private final Duration retention;
    private final Clock clock;

    /** @param retention how long a slot is kept after it was last written; longer than any message may be redelivered */
    public Ledger(String table, Duration retention, Clock clock) {
        this.table = table;
        this.retention = retention;
        this.clock = clock;
    }

    /** Which slot of a series it is. */
    record Time(long second, int slot) {

        static Time of(LedgerId id) {
            return new Time(id.second(), id.slot());
        }

        String sortKey() {
            return PREFIX + KeyCodec.SEPARATOR + Instant.ofEpochSecond(second) + KeyCodec.SEPARATOR + slot;
        }

        boolean isOf(LedgerId id) {
            return second == id.second() && slot == id.slot();
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof Time time && second == time.second && slot == time.slot);
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(second) + slot;
        }
    }

    /** One slot, and the ids that are new to it. */
    record Slot(Time time, List<Long> newIds) {
    }

    /** The slots that shares are noted in. */
    static List<Slot> slots(List<Share> shares) {
        Map<Time, Slot> slots = new LinkedHashMap<>();
        Slot last = null;
        for (Share share : shares) {
            // Neighbours share a slot.
            if (last == null || !last.time().isOf(share.ledgerId())) {
                last = slots.computeIfAbsent(Time.of(share.ledgerId()), time -> new Slot(time, new ArrayList<>()));
            }
            last.newIds().add(share.ledgerId().hash());
        }
        return new ArrayList<>(slots.values());
    }

    /** Notes ids in a slot, provided that it holds none of them; if it does, the failure gives back all that it holds. */
    Update note(String partitionKey, Slot slot) {
        int count = slot.newIds().size();
        Map<String, AttributeValue> values = new HashMap<>(2 * count);
        List<SdkBytes> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SdkBytes id = bytes(slot.newIds().get(i));
            ids.add(id);
            values.put(UnknownIds.name(i), AttributeValue.fromB(id));
        }
        values.put(":ids", AttributeValue.fromBs(ids));
        values.put(":ttl", AttributeValue.fromN(Long.toString(clock.instant().plus(retention).getEpochSecond())));
        return Update.builder().tableName(table)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(partitionKey), TableSchema.SK,
                        AttributeValue.fromS(slot.time().sortKey())))
                .updateExpression("SET #ttl = :ttl ADD " + TableSchema.LEDGER_IDS + " :ids")
                .conditionExpression(UnknownIds.condition(count))
                .expressionAttributeNames(Map.of("#ttl", TableSchema.TTL))
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD).build();
    }

    /** The ids that a slot holds. */
    static Set<Long> ids(Map<String, AttributeValue> slot) {
        Set<Long> ids = new HashSet<>();
        AttributeValue set = slot.get(TableSchema.LEDGER_IDS);
        if (set != null) {
            set.bs().forEach(id -> ids.add(id.asByteBuffer().getLong()));
        }
        return ids;
    }

    private static SdkBytes bytes(long id) {
        return SdkBytes.fromByteArrayUnsafe(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
    }
}
