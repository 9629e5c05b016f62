package dev.windrow.writer.store;

import java.util.List;

/**
 * One request to the table.
 *
 * @param updates one, or up to 100 of different items that are applied all or none
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

    /** Write units it will take at least, in table and index: items are small, and a transaction counts twice. */
    public int estimatedUnits() {
        return transactional ? TRANSACTION_FACTOR * updates.size() : updates.size();
    }
}
