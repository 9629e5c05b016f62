package dev.windrow.writer.table;

import java.util.List;

import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;

/**
 * One request to the table.
 *
 * @param updates one, or up to 100 of different items, applied all or none. A failed condition of a later one is reported
 *        only once it is known whether the condition of the first one holds
 */
public record TableWrite(List<ItemUpdate> updates) {

    private static final int TRANSACTION_FACTOR = 2;
    private static final String JOURNAL = "~journal";

    public TableWrite {
        updates = List.copyOf(updates);
    }

    public static TableWrite single(ItemUpdate update) {
        return new TableWrite(List.of(update));
    }

    public boolean transactional() {
        return updates.size() > 1;
    }

    /** The dataset of the updated bucket; {@code ~journal} for the journal's own items. */
    public String dataset() {
        String key = updates.get(0).partitionKey();
        return transactional() || key.startsWith(TableSchema.OWN_PREFIX) ? JOURNAL : SeriesKey.dataset(key);
    }

    /** Minimum write units it will consume, as far as the updates show; a transaction costs twice as much. */
    int estimatedUnits() {
        int units = updates.stream().mapToInt(ItemUpdate::estimatedUnits).sum();
        return transactional() ? TRANSACTION_FACTOR * units : units;
    }
}
