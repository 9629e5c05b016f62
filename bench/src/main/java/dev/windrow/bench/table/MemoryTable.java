package dev.windrow.bench.table;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.table.TableSchema;

/**
 * The items of a table. Writes are by one thread at a time; reads by any. A transaction holds its items until it is
 * {@linkplain #release released}: others that touch them meanwhile conflict.
 */
public final class MemoryTable {

    private static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

    private final Costs costs;
    private final ConcurrentNavigableMap<Key, ObjectNode> items = new ConcurrentSkipListMap<>();
    private final Set<Key> held = new HashSet<>();

    /** A partition key of the table, or of its index. */
    public record Resource(boolean isIndex, String partitionKey) {
    }

    /** Receives the units of each write. */
    public interface Costs {

        void charged(Map<Resource, Double> units);

        /** An item was written; the partition is empty if it is in no index. */
        void wrote(String indexPartition);
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

    private record Write(Key key, ObjectNode after, Outcome outcome, Map<Resource, Double> units) {
    }

    public MemoryTable(Costs costs) {
        this.costs = costs;
    }

    /** An item; empty if there is none. */
    public ObjectNode get(Key key) {
        return items.getOrDefault(key, NONE);
    }

    /** The items of a partition from one sort key to another, both included, in their order. */
    public List<ObjectNode> range(String partition, String from, String to) {
        return List.copyOf(items.subMap(new Key(partition, from), true, new Key(partition, to), true).values());
    }

    public Map<Key, ObjectNode> items() {
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
        Map<Resource, Double> units = new HashMap<>();
        writes.forEach(write -> write.units().forEach((resource, needed) -> {
            // A failed condition costs the table as much, and the index nothing.
            if (done || !resource.isIndex()) {
                units.merge(resource, needed, Double::sum);
            }
        }));
        costs.charged(units);
        if (done) {
            for (Write write : writes) {
                items.put(write.key(), write.after());
                costs.wrote(Values.text(write.after(), TableSchema.INDEX_PK));
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
        Map<Resource, Double> units = new HashMap<>();
        units.put(new Resource(false, update.key().partition()), Units.write(bytes, transactional));
        if (!index.isEmpty()) {
            units.put(new Resource(true, index), Units.write(bytes, false));
        }
        return new Write(update.key(), after, outcome, units);
    }

    /** The items of a transaction that was carried out can be written again. */
    public void release(List<Update> updates) {
        updates.forEach(update -> held.remove(update.key()));
    }

    /**
     * Write and read units of single operations, in the service's steps.
     * <p>
     * Sources: seed "AWS and other interesting stuff" (a write unit is 1 KB, a read unit 4 KB, or 8 KB if eventually
     * consistent) and seed "Global Secondary Indexes" (Write Capacity Units): an update of an item costs the index a write of
     * its entry, whose size is the larger of before and after.
     */
    public static final class Units {

        private static final int WRITE_STEP = 1_024;
        private static final int READ_STEP = 4_096;

        private Units() {
        }

        /** Write units of one item: each begun KB, at least one; twice that in a transaction, to prepare and to commit. */
        public static double write(int bytes, boolean transactional) {
            return begun(bytes, WRITE_STEP) * (transactional ? 2 : 1);
        }

        /** Read units of what one request reads of a partition: each begun 4 KB, at least one; half of it if not consistent. */
        public static double read(int bytes, boolean consistent) {
            return begun(bytes, READ_STEP) * (consistent ? 1 : 0.5);
        }

        private static int begun(int bytes, int step) {
            return Math.max(1, (bytes + step - 1) / step);
        }
    }
}
