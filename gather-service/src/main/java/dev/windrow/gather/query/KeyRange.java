package dev.windrow.gather.query;

import java.time.Instant;

import dev.windrow.table.Utf8Order;

/**
 * A range of the sort keys of one partition of the table.
 *
 * @param fromKey lowest, inclusive
 * @param toKey highest, inclusive
 * @param until end of the range of bucket starts, exclusive
 * @param items which of the items in it are wanted
 */
record KeyRange(String fromKey, String toKey, Instant until, ItemFilter items) {

    boolean isEmpty() {
        return Utf8Order.ASCENDING.compare(fromKey, toKey) > 0;
    }

    /** The part of it that lies within other bounds, both inclusive. */
    KeyRange within(String lowest, String highest, Instant end) {
        return new KeyRange(Utf8Order.ASCENDING.compare(fromKey, lowest) > 0 ? fromKey : lowest,
                Utf8Order.ASCENDING.compare(toKey, highest) < 0 ? toKey : highest, end, items);
    }
}
