package dev.windrow.writer.store;

import java.util.List;

/**
 * One request to the table.
 *
 * @param updates one, or up to 100 of different items that are applied all or none; the failed condition of another than the
 *        first one is reported only once it is known whether the first one's holds
 * @param transactional whether it is sent as a transaction
 */
public record TableWrite(List<ItemUpdate> updates, boolean transactional) {

    private static final int TRANSACTION_FACTOR = 2;

    public TableWrite {
        updates = List.copyOf(updates);
        if (updates.isEmpty() || (updates.size() > 1 && !transactional)) {
            throw new IllegalArgumentException(updates.size() + " updates, transactional: " + transactional);
        }
    }

    public static TableWrite single(ItemUpdate update) {
        return new TableWrite(List.of(update), false);
    }

    public static TableWrite transaction(List<ItemUpdate> updates) {
        return new TableWrite(updates, true);
    }

    /** Minimum write units it will take, as far as the updates show; a transaction counts twice. */
    public int estimatedUnits() {
        int units = 0;
        for (ItemUpdate update : updates) {
            units += update.estimatedUnits();
        }
        return transactional ? TRANSACTION_FACTOR * units : units;
    }
}
