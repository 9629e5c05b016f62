package dev.windrow.writer.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.windrow.key.KeyCodec;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.LedgerId;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The ledger slots of a series: items beside its buckets that hold the ids of applied shares. A slot's time is its
 * messages' own, so that every redelivery meets the same slot. An id is the 64-bit hash of what is the same at each
 * delivery; two of a slot's thousands being equal by chance is less likely than losing the disk it is kept on.
 */
public final class Ledger {

    /** Sorts slots after all buckets: granularities begin with letters and digits. */
    private static final String PREFIX = "~";

    private final Duration retention;
    private final Clock clock;

    /** @param retention how long a slot is kept after it was last written; longer than any message may be redelivered */
    public Ledger(Duration retention, Clock clock) {
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
    record Slot(Time time, List<LedgerId> newIds) {
    }

    /** The slots that shares are noted in. */
    static List<Slot> slots(List<Contribution> shares) {
        Map<Time, Slot> slots = new LinkedHashMap<>();
        Slot last = null;
        for (Contribution share : shares) {
            // Neighbours share a slot.
            if (last == null || !last.time().isOf(share.ledgerId())) {
                last = slots.computeIfAbsent(Time.of(share.ledgerId()), time -> new Slot(time, new ArrayList<>()));
            }
            last.newIds().add(share.ledgerId());
        }
        return new ArrayList<>(slots.values());
    }

    /** What notes a slot's new ids. */
    LedgerNote note(String partitionKey, Slot slot) {
        return new LedgerNote(partitionKey, slot.time().sortKey(), slot.newIds(),
                clock.instant().plus(retention).getEpochSecond());
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
}
