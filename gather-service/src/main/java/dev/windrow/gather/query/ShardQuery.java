package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;

/**
 * A range of one shard's items: a scatter shard of the index, or a key shard of the table.
 *
 * @param source where it is read
 * @param shard its number, for reports
 * @param partitionKey its partition
 * @param fromKey lowest sort key, inclusive
 * @param toKey highest sort key, inclusive
 * @param descending highest sort key first
 * @param consistent whether all writes answered before must be seen; the table only
 * @param until end of the range of bucket starts, exclusive: once it has passed, only late events change the items
 * @param filters how the table's partition keys of wanted items begin, one of these each; none for all items; the index
 *        only
 * @param items which of the items that were read are wanted
 */
public record ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
        boolean consistent, Instant until, List<String> filters, ItemFilter items) {

    /** All items of a range of keys that filters let through. */
    public ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
            boolean consistent, Instant until, List<String> filters) {
        this(source, shard, partitionKey, fromKey, toKey, descending, consistent, until, filters, ItemFilter.ALL);
    }

    /** What is read. */
    public enum Source {
        TABLE,
        INDEX
    }

    /** The same, of items that still change after their end. */
    ShardQuery lagging() {
        return new ShardQuery(source, shard, partitionKey, fromKey, toKey, descending, consistent, TimeRange.END, filters,
                items);
    }
}
