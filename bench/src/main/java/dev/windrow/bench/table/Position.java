package dev.windrow.bench.table;

import dev.windrow.key.Utf8Order;

/**
 * Where an item stands in a partition: by its sort key, and in an index, where sort keys need not be unique, then by its
 * keys in the table.
 */
record Position(String sort, String tablePartition, String tableSort) implements Comparable<Position> {

    /** After every text. */
    private static final String LAST = "\uDBFF\uDFFF\uDBFF\uDFFF";

    static Position before(String sort) {
        return new Position(sort, "", "");
    }

    static Position after(String sort) {
        return new Position(sort, LAST, LAST);
    }

    /** After every position whose sort key begins with that. */
    static Position afterPrefix(String prefix) {
        return after(prefix + LAST);
    }

    @Override
    public int compareTo(Position other) {
        int order = Utf8Order.ASCENDING.compare(sort, other.sort);
        if (order == 0) {
            order = Utf8Order.ASCENDING.compare(tablePartition, other.tablePartition);
        }
        return order == 0 ? Utf8Order.ASCENDING.compare(tableSort, other.tableSort) : order;
    }
}
