package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A range of one shard's items: a scatter shard of the index, a key shard of the table, or a rank shard of a leaderboard.
 *
 * @param source where it is read
 * @param shard its number, for reports
 * @param partitionKey its partition
 * @param fromKey lowest sort key, inclusive; of a leaderboard, a number, or empty for no bound
 * @param toKey highest sort key, inclusive; likewise
 * @param descending highest sort key first
 * @param consistent whether all writes answered before must be seen; the table only
 * @param until end of the range of bucket starts, exclusive: once it has passed, only late events change the items
 * @param filters how the table's partition keys of wanted items begin, one of these each; none for all items; the index
 *        only
 * @param items which of the items that were read are wanted
 * @param rankedBy the measure of a leaderboard; null for anything else
 */
public record ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
        boolean consistent, Instant until, List<String> filters, ItemFilter items, @Nullable String rankedBy) {

    /** A range of table or index. */
    public ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
            boolean consistent, Instant until, List<String> filters, ItemFilter items) {
        this(source, shard, partitionKey, fromKey, toKey, descending, consistent, until, filters, items, null);
    }

    /** All items of a range of keys that filters let through. */
    public ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
            boolean consistent, Instant until, List<String> filters) {
        this(source, shard, partitionKey, fromKey, toKey, descending, consistent, until, filters, ItemFilter.ALL);
    }

    /** What is read. */
    public enum Source {
        TABLE,
        INDEX,
        /** Items of a leaderboard, which have their place and value only. */
        RANK,
        /** The number of items of a leaderboard between two values, both exclusive. */
        RANK_COUNT
    }

    /** The measure of a leaderboard. */
    public String measure() {
        return Objects.requireNonNull(rankedBy, "not of a leaderboard");
    }

    /** The same, of items that still change after their end. */
    ShardQuery lagging() {
        return new ShardQuery(source, shard, partitionKey, fromKey, toKey, descending, consistent, TimeRange.END, filters,
                items, rankedBy);
    }
}
