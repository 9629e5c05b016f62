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
 * The items of a table in memory. Only one thread at a time may write; any may read. A transaction holds its items until it is
 * {@linkplain #release released}: other writes to them meanwhile conflict.
 */
public final class MemoryTable {

    private static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

    private final Meter meter = new Meter();
    private final ConcurrentNavigableMap<ItemKey, ObjectNode> items = new ConcurrentSkipListMap<>();
    private final Set<ItemKey> held = new HashSet<>();

    /** An item's key, ordered by sort key within a partition. */
    public record ItemKey(String partition, String sort) implements Comparable<ItemKey> {

        @Override
        public int compareTo(ItemKey other) {
            // The order of partitions is arbitrary, and comparing hashes is cheaper than comparing texts with equal prefixes.
            int order = Integer.compare(partition.hashCode(), other.partition.hashCode());
            order = order == 0 ? partition.compareTo(other.partition) : order;
            return order == 0 ? sort.compareTo(other.sort) : order;
        }
    }

    /**
     * The outcome of an update.
     *
     * @param code DynamoDB's code for it, as in a transaction's cancellation reasons
     * @param item the item before the update if its condition failed, after it if it was applied
     */
    public record Outcome(String code, ObjectNode item) {

        /** The update did not fail. */
        public static final String NONE = "None";
        /** Its condition was not met. */
        public static final String CONDITION_FAILED = "ConditionalCheckFailed";
        /** Another transaction holds the item. */
        public static final String CONFLICT = "TransactionConflict";

        /** Whether this update failed. */
        public boolean isFailed() {
            return !code.equals(NONE);
        }
    }

    /** @param tableUnits write units of the table, charged even if a condition fails, unlike those of the index */
    private record Write(ItemKey key, ObjectNode after, Outcome outcome, double tableUnits, double indexUnits) {
    }

    public Meter meter() {
        return meter;
    }

    /** Returns an item; empty if there is none. */
    public ObjectNode get(ItemKey key) {
        return items.getOrDefault(key, NONE);
    }

    /** Returns the items of a partition between two sort keys, both inclusive, ordered by sort key. */
    public List<ObjectNode> range(String partition, String from, String to) {
        return List.copyOf(items.subMap(new ItemKey(partition, from), true, new ItemKey(partition, to), true).values());
    }

    public Map<ItemKey, ObjectNode> items() {
        return items;
    }

    /**
     * Applies all updates, or none if one fails. Items of an applied transaction are held.
     *
     * @return the outcome of each update
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

    /** Evaluates an update. Its units are charged per KB of the larger of the item before and after it. */
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

    /** Releases the items of an applied transaction, so that they can be written again. */
    public void release(List<Update> updates) {
        updates.forEach(update -> held.remove(update.key()));
    }

    /**
     * Counts the capacity units of requests by the service's rules. Safe to read from other threads.
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
         * The counts so far.
         *
         * @param writeUnits write units of table and index
         * @param minutes number of updates of minute buckets
         */
        public record Reading(double writeUnits, double readUnits, long minutes) {

            /** Returns the counts between an earlier reading and this one. */
            public Reading since(Reading earlier) {
                return new Reading(writeUnits - earlier.writeUnits, readUnits - earlier.readUnits, minutes - earlier.minutes);
            }
        }

        /** Returns the write units of an item: one per started KB, at least one; doubled in a transaction (prepare, commit). */
        static double writeUnits(int bytes, boolean transactional) {
            return begun(bytes, WRITE_STEP) * (transactional ? 2 : 1);
        }

        /** Returns the read units of a request: one per started 4 KB, at least one; half if eventually consistent. */
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
