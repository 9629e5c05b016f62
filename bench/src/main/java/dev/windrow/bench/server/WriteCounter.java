package dev.windrow.bench.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.partition.Admission;
import dev.windrow.bench.partition.Admission.Admitted;
import dev.windrow.bench.partition.Admission.Throttled;
import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.partition.Resource;
import dev.windrow.bench.partition.Units;
import dev.windrow.table.TableSchema;

/** Counts the write units of requests by the partition model, and throttles those that it does not admit. */
final class WriteCounter {

    private final PartitionModel model;
    private final Meter meter;
    private final Map<List<String>, StoredItem> items = new HashMap<>();

    WriteCounter(PartitionModel model, Meter meter) {
        this.model = model;
        this.meter = meter;
    }

    /**
     * Applies the writes of one request, or none.
     *
     * @param transactional whether they are a transaction's, at twice the price
     * @return the partition key that is out of capacity, or null if they were applied
     */
    @Nullable
    Resource write(List<ItemWrite> writes, boolean transactional) {
        List<Demand> demands = new ArrayList<>(2 * writes.size());
        for (ItemWrite write : writes) {
            demands.addAll(demands(write, transactional));
        }
        Admission admission = model.write(demands);
        if (admission instanceof Throttled throttled) {
            meter.throttled();
            return throttled.at();
        }
        meter.admitted(demands, ((Admitted) admission).indexLag());
        for (ItemWrite write : writes) {
            StoredItem item = items.computeIfAbsent(key(write), key -> new StoredItem());
            item.apply(write);
            meter.wrote(item.indexPartitionKeyAfter(write));
        }
        return null;
    }

    /** The capacity that one write needs, of the table first. */
    List<Demand> demands(ItemWrite write, boolean transactional) {
        StoredItem item = items.getOrDefault(key(write), new StoredItem());
        int bytes = item.bytesAfter(write);
        List<Demand> demands = new ArrayList<>(2);
        demands.add(new Demand(new Resource(TableSchema.TABLE, null, write.partitionKey()),
                transactional ? Units.transactionalWrite(bytes) : Units.write(bytes)));
        String indexPartitionKey = item.indexPartitionKeyAfter(write);
        if (indexPartitionKey != null) {
            demands.add(new Demand(new Resource(TableSchema.TABLE, TableSchema.INDEX, indexPartitionKey), Units.write(bytes)));
        }
        return demands;
    }

    private static List<String> key(ItemWrite write) {
        return List.of(write.partitionKey(), write.sortKey());
    }
}
