package dev.windrow.bench.server;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.table.TableSchema;

/**
 * The items of a table. Writes are by one thread at a time; reads by any. A transaction holds its items until it is
 * {@linkplain #release released}: others that touch them meanwhile conflict.
 */
public final class MemoryTable {

    private static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

    private final Meter meter = new Meter();
    private final ConcurrentNavigableMap<ItemKey, ObjectNode> items = new ConcurrentSkipListMap<>();
    private final Set<ItemKey> held = new HashSet<>();

    /** An item's key, in the order of sort keys within a partition. */
    public record ItemKey(String partition, String sort) implements Comparable<ItemKey> {

        @Override
        public int compareTo(ItemKey other) {
            // Partitions have no order, and comparing their hashes is cheaper than comparing texts that begin alike.
            int order = Integer.compare(partition.hashCode(), other.partition.hashCode());
            order = order == 0 ? partition.compareTo(other.partition) : order;
            return order == 0 ? sort.compareTo(other.sort) : order;
        }
    }

    /**
     * The outcome of an update.
     *
     * @param code DynamoDB's word for it, as in a transaction's cancellation reasons
     * @param item before the update if its condition failed, after it if it was carried out
     */
    public record Outcome(String code, ObjectNode item) {

        /** Nothing was wrong with it. */
        public static final String NONE = "None";
        /** Its condition does not hold. */
        public static final String CONDITION_FAILED = "ConditionalCheckFailed";
        /** Another transaction has the item. */
        public static final String CONFLICT = "TransactionConflict";

        /** Whether it is this update that failed. */
        public boolean isFailed() {
            return !code.equals(NONE);
        }
    }

    /** @param tableUnits charged even if a condition fails, while the index costs nothing then */
    private record Write(ItemKey key, ObjectNode after, Outcome outcome, double tableUnits, double indexUnits) {
    }

    public Meter meter() {
        return meter;
    }

    /** An item; empty if there is none. */
    public ObjectNode get(ItemKey key) {
        return items.getOrDefault(key, NONE);
    }

    /** The items of a partition from one sort key to another, both included, in their order. */
    public List<ObjectNode> range(String partition, String from, String to) {
        return List.copyOf(items.subMap(new ItemKey(partition, from), true, new ItemKey(partition, to), true).values());
    }

    public Map<ItemKey, ObjectNode> items() {
        return items;
    }

    /**
     * Carries out updates, or none of them. Items of a transaction that was carried out are held.
     *
     * @return what became of each
     */
    public List<Outcome> write(List<Update> updates, boolean transactional) {
        List<Write> writes = updates.stream().map(update -> write(update, transactional)).toList();
        List<Outcome> outcomes = writes.stream().map(Write::outcome).toList();
        boolean done = outcomes.stream().noneMatch(Outcome::isFailed);
        for (Write write : writes) {
            meter.writeUnits.add(write.tableUnits() + (done ? write.indexUnits() : 0));
            if (done) {
                items.put(write.key(), write.after());
                meter.minutes.add(write.key().sort().startsWith("minute") ? 1 : 0);
                if (transactional) {
                    held.add(write.key());
                }
            }
        }
        return outcomes;
    }

    /** What an update comes to: its units are for each KB of the larger of the item before and after. */
    private Write write(Update update, boolean transactional) {
        ObjectNode before = get(update.key());
        ObjectNode after = JsonNodeFactory.instance.objectNode();
        after.setAll(before);
        after.set(TableSchema.PK, Values.text(update.key().partition()));
        after.set(TableSchema.SK, Values.text(update.key().sort()));
        Outcome outcome = held.contains(update.key()) ? new Outcome(Outcome.CONFLICT, NONE)
                : update.holds(before) ? new Outcome(Outcome.NONE, after)
                        : new Outcome(Outcome.CONDITION_FAILED, before);
        update.apply(after);
        String index = Values.text(after, TableSchema.INDEX_PK);
        if (before.has(TableSchema.INDEX_PK) && !Values.text(before, TableSchema.INDEX_PK).equals(index)) {
            throw new IllegalArgumentException("expected that an item keeps its index partition");
        }
        int bytes = Math.max(Values.bytes(before), !outcome.isFailed() || transactional ? Values.bytes(after) : 0);
        return new Write(update.key(), after, outcome, Meter.writeUnits(bytes, transactional),
                index.isEmpty() ? 0 : Meter.writeUnits(bytes, false));
    }

    /** The items of a transaction that was carried out can be written again. */
    public void release(List<Update> updates) {
        updates.forEach(update -> held.remove(update.key()));
    }

    /**
     * Counts what requests cost, in the service's steps. Safe to read from other threads.
     * <p>
     * Sources: seed "AWS and other interesting stuff" (a write unit is 1 KB, a read unit 4 KB, or 8 KB if eventually
     * consistent) and seed "Global Secondary Indexes" (Write Capacity Units): an update of an item costs the index a write of
     * its entry, whose size is the larger of before and after.
     */
    public static final class Meter {

        private static final int WRITE_STEP = 1_024;
        private static final int READ_STEP = 4_096;

        private final DoubleAdder writeUnits = new DoubleAdder();
        private final DoubleAdder readUnits = new DoubleAdder();
        private final LongAdder minutes = new LongAdder();

        /**
         * What was counted so far.
         *
         * @param writeUnits of table and index
         * @param minutes updates of buckets of a minute
         */
        public record Reading(double writeUnits, double readUnits, long minutes) {

            /** What was counted between an earlier reading and this one. */
            public Reading since(Reading earlier) {
                return new Reading(writeUnits - earlier.writeUnits, readUnits - earlier.readUnits, minutes - earlier.minutes);
            }
        }

        /** Write units of one item: each begun KB, at least one; twice that in a transaction, to prepare and to commit. */
        static double writeUnits(int bytes, boolean transactional) {
            return begun(bytes, WRITE_STEP) * (transactional ? 2 : 1);
        }

        /** Read units of what one request reads of a partition: each begun 4 KB, at least one; half of it if not consistent. */
        static double readUnits(int bytes, boolean consistent) {
            return begun(bytes, READ_STEP) * (consistent ? 1 : 0.5);
        }

        private static int begun(int bytes, int step) {
            return Math.max(1, (bytes + step - 1) / step);
        }

        public void read(double units) {
            readUnits.add(units);
        }

        public Reading read() {
            return new Reading(writeUnits.sum(), readUnits.sum(), minutes.sum());
        }
    }
}
