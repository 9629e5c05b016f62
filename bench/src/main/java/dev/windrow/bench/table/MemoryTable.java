package dev.windrow.bench.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.windrow.bench.partition.Admission;
import dev.windrow.bench.partition.Admission.Admitted;
import dev.windrow.bench.partition.Admission.Throttled;
import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.partition.Resource;

/**
 * The items of a table. Writes are by one thread at a time; reads by any. A transaction holds its items until it is
 * {@linkplain #release released}: others that touch them meanwhile conflict.
 */
public final class MemoryTable {

    private final PartitionModel model;
    private final Costs costs;
    private final Map<Key, Map<String, Value>> items = new ConcurrentHashMap<>();
    private final Set<Key> held = new HashSet<>();

    /** Receives the units of each write. */
    public interface Costs {

        /** @param lag how long the slowest index entry waits */
        void charged(List<Demand> demands, Duration lag);

        /** An item was written; the partition is empty if it is in no index. */
        void wrote(String indexPartition);
    }

    public MemoryTable(PartitionModel model, Costs costs) {
        this.model = model;
        this.costs = costs;
    }

    /** An item; empty if there is none. */
    public Map<String, Value> get(Key key) {
        return items.getOrDefault(key, Map.of());
    }

    /** All items. */
    public Map<Key, Map<String, Value>> items() {
        return items;
    }

    /** Carries out one update, or not. */
    public Outcome write(Update update) {
        return write(List.of(update), false).get(0);
    }

    /**
     * Carries out a transaction, or none of it.
     *
     * @return what became of each update; carried out only if none has failed: then all items are held
     */
    public List<Outcome> transaction(List<Update> updates) {
        List<Outcome> outcomes = write(updates, true);
        if (outcomes.stream().noneMatch(Outcome::isFailed)) {
            updates.forEach(update -> held.add(update.key()));
        }
        return outcomes;
    }

    /** The items of a transaction that was carried out can be written again. */
    public void release(List<Update> updates) {
        updates.forEach(update -> held.remove(update.key()));
    }

    private List<Outcome> write(List<Update> updates, boolean transactional) {
        List<Write> writes = updates.stream().map(update -> Write.of(update, get(update.key()))).toList();
        List<Outcome> outcomes = new ArrayList<>(writes.size());
        for (Write write : writes) {
            outcomes.add(held.contains(write.key()) ? Outcome.of(Outcome.CONFLICT)
                    : write.holds() ? new Outcome(Outcome.NONE, write.after(), null)
                            : new Outcome(Outcome.CONDITION_FAILED, write.before(), null));
        }
        boolean done = outcomes.stream().noneMatch(Outcome::isFailed);
        List<List<Demand>> demands = writes.stream().map(write -> write.demands(transactional, done)).toList();
        List<Demand> all = demands.stream().flatMap(List::stream).toList();
        Admission admission = model.write(all);
        if (admission instanceof Throttled throttled) {
            return demands.stream().map(demand -> throttled(demand, throttled.at())).toList();
        }
        costs.charged(all, ((Admitted) admission).indexLag());
        if (done) {
            for (Write write : writes) {
                items.put(write.key(), Map.copyOf(write.after()));
                String index = write.indexPartition();
                costs.wrote(index == null ? "" : index);
            }
        }
        return outcomes;
    }

    private static Outcome throttled(List<Demand> demands, Resource at) {
        return demands.stream().anyMatch(demand -> demand.resource().equals(at))
                ? new Outcome(Outcome.THROTTLED, Map.of(), at)
                : Outcome.of(Outcome.NONE);
    }
}
