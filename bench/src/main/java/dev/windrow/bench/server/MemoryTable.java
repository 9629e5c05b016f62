package dev.windrow.bench.server;

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
 * The items of a table in memory. Only one thread at a time may write; any may read. A transaction holds its items until it is
 * {@linkplain #release released}: other writes to them meanwhile conflict.
 */
public final class MemoryTable {

    private static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

    private final Meter meter = new Meter();
    private final ConcurrentNavigableMap<ItemKey, ObjectNode> items = new ConcurrentSkipListMap<>();
    private final Set<ItemKey> held = new HashSet<>();

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

}
