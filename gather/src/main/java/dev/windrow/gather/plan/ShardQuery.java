package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.range.TimeRange;

/**
 * A range of one shard's items: a scatter shard of the index, a key shard of the table, or a rank shard of a leaderboard.
 *
 * @param source where it is read
 * @param shard its number, for reports
 * @param fromKey lowest sort key, inclusive; for a leaderboard, a number, or empty for no bound
 * @param toKey highest sort key, inclusive; likewise
 * @param descending highest sort key first
 * @param consistent whether all writes acknowledged before must be seen; the table only
 * @param until end of the range of bucket starts, exclusive: once it has passed, only late events change the items
 * @param filters prefixes of the wanted items' partition keys in the table: each item has one of these; empty for all
 *        items; the index only
 * @param items which of the items that were read are wanted
 * @param rankedBy the measure of a leaderboard; null for anything else
 */
public record ShardQuery(ReadSource source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
        boolean consistent, Instant until, List<String> filters, ItemFilter items, @Nullable String rankedBy) {

    /** A range of table or index. */
    public ShardQuery(ReadSource source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
            boolean consistent, Instant until, List<String> filters, ItemFilter items) {
        this(source, shard, partitionKey, fromKey, toKey, descending, consistent, until, filters, items, null);
    }

    public String measure() {
        return Objects.requireNonNull(rankedBy, "not of a leaderboard");
    }

    /** The same, of items that still change after their end. */
    ShardQuery lagging() {
        return new ShardQuery(source, shard, partitionKey, fromKey, toKey, descending, consistent, TimeRange.END, filters,
                items, rankedBy);
    }
}
