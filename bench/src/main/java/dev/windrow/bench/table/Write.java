package dev.windrow.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.Resource;
import dev.windrow.bench.partition.Units;
import dev.windrow.table.TableSchema;

/**
 * An update of one item, and what it comes to.
 *
 * @param key of the item
 * @param before the item; empty if there was none
 * @param after the item
 * @param holds whether the condition holds
 */
record Write(Key key, Map<String, Value> before, Map<String, Value> after, boolean holds) {

    static Write of(Update update, Map<String, Value> before) {
        boolean holds = update.condition().holds(before, update.bindings());
        Map<String, Value> after = new HashMap<>(before);
        after.put(TableSchema.PK, Value.of("S", update.key().partition()));
        after.put(TableSchema.SK, Value.of("S", update.key().sort()));
        update.change().apply(after, update.bindings());
        Value index = before.get(TableSchema.INDEX_PK);
        if (index != null && !index.equals(after.get(TableSchema.INDEX_PK))) {
            throw new IllegalArgumentException("expected that an item keeps its index partition");
        }
        return new Write(update.key(), before, after, holds);
    }

    /** The index partition that has the item afterwards. */
    @Nullable
    String indexPartition() {
        Value index = after.get(TableSchema.INDEX_PK);
        return index == null ? null : index.content().toString();
    }

    /**
     * The capacity that it needs, of the table first: each KB of the larger of the item before and after, twice in a
     * transaction, and once more in the index. A failed condition costs the table as much, and the index nothing.
     *
     * @param done whether it is carried out
     */
    List<Demand> demands(boolean transactional, boolean done) {
        int bytes = Math.max(bytes(before), done || transactional ? bytes(after) : 0);
        List<Demand> demands = new ArrayList<>(2);
        demands.add(new Demand(new Resource(TableSchema.TABLE, null, key.partition()),
                transactional ? Units.transactionalWrite(bytes) : Units.write(bytes)));
        String index = indexPartition();
        if (index != null && done) {
            demands.add(new Demand(new Resource(TableSchema.TABLE, TableSchema.INDEX, index), Units.write(bytes)));
        }
        return demands;
    }

    private static int bytes(Map<String, Value> item) {
        int bytes = 0;
        for (Map.Entry<String, Value> attribute : item.entrySet()) {
            bytes += attribute.getKey().getBytes(UTF_8).length + attribute.getValue().bytes();
        }
        return bytes;
    }
}
