package dev.windrow.bench.table;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.IndexEntry;
import dev.windrow.bench.partition.Resource;
import dev.windrow.bench.partition.Units;

/**
 * What one write would do.
 *
 * @param before the item as it is
 * @param after the item as it would be; as before if the condition does not hold
 * @param partition its partition key
 * @param sort its sort key
 * @param held whether its condition holds
 * @param tellsOld whether the failure of its condition returns the item
 */
record Change(Item before, Item after, String partition, String sort, boolean held, boolean tellsOld) {

    /** The capacity it needs of the table and of each index partition it touches. */
    List<Demand> demands(TableKeys keys, boolean transactional) {
        List<Demand> demands = new ArrayList<>(3);
        int bytes = Math.max(before.bytes(), after.bytes());
        demands.add(new Demand(new Resource(keys.table(), null, partition),
                transactional ? Units.transactionalWrite(bytes) : Units.write(bytes)));
        IndexEntry old = before.entry(keys);
        IndexEntry fresh = after.entry(keys);
        if (old.exists() && fresh.exists() && !old.key().equals(fresh.key())) {
            demands.add(index(keys, old, Units.index(old, IndexEntry.NONE)));
            demands.add(index(keys, fresh, Units.index(IndexEntry.NONE, fresh)));
        } else {
            double units = Units.index(old, fresh);
            if (units > 0) {
                demands.add(index(keys, fresh.exists() ? fresh : old, units));
            }
        }
        return demands;
    }

    private static Demand index(TableKeys keys, IndexEntry entry, double units) {
        return new Demand(new Resource(keys.table(), keys.index(), entry.key().get(0)), units);
    }
}
