package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Granularity;

/**
 * The reads that answer a query. Stages follow each other in the order of the answer: every item of a stage comes before
 * every item of the next, so a later stage is read only when the one before is used up.
 *
 * @param stages one for each epoch of the index, or each granularity of the table, that the range touches
 */
public record QueryPlan(List<Stage> stages) {

    /** The same plan, but for buckets that may change after their end, so that no cached pages are read. */
    public QueryPlan uncached() {
        return new QueryPlan(stages.stream().map(Stage::lagging).toList());
    }

    /**
     * Shards that are read together and merged.
     *
     * @param until end of the range of bucket starts that is read, exclusive
     * @param shards all that can hold items of the range
     */
    public record Stage(Granularity granularity, Instant until, List<ShardQuery> shards) {

        /** A stage that ends with the last of its shards' ranges. */
        public Stage(Granularity granularity, List<ShardQuery> shards) {
            this(granularity, shards.stream().map(ShardQuery::until).reduce(TimeRange.ALL.from(), TimeRange::later), shards);
        }

        /** The same, of buckets that still change after their end. */
        Stage lagging() {
            return new Stage(granularity, until, shards.stream().map(ShardQuery::lagging).toList());
        }
    }

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
    public record ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
            boolean consistent, Instant until, List<String> filters, ItemFilter items, @Nullable String rankedBy) {

        /** A range of table or index. */
        public ShardQuery(Source source, int shard, String partitionKey, String fromKey, String toKey, boolean descending,
                boolean consistent, Instant until, List<String> filters, ItemFilter items) {
            this(source, shard, partitionKey, fromKey, toKey, descending, consistent, until, filters, items, null);
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

        public String measure() {
            return Objects.requireNonNull(rankedBy, "not of a leaderboard");
        }

        /** The same, of items that still change after their end. */
        ShardQuery lagging() {
            return new ShardQuery(source, shard, partitionKey, fromKey, toKey, descending, consistent, TimeRange.END, filters,
                    items, rankedBy);
        }
    }

    /**
     * Selects the wanted items of a range of keys. DynamoDB cannot filter by the keys that it queries, so its response is
     * filtered here.
     *
     * @param labelPrefixes prefixes of the wanted labels as encoded in keys: each has one of these; empty for all labels
     * @param except the place of the last bucket of the page before, if it cannot be kept out of the range
     * @param values the wanted values of the label's attributes as encoded in keys, in their order; an empty set for any
     */
    public record ItemFilter(List<String> labelPrefixes, Optional<String> except, List<SortedSet<String>> values) {

        public static final ItemFilter ALL = new ItemFilter(List.of(), Optional.empty());

        ItemFilter(List<String> labelPrefixes, Optional<String> except) {
            this(labelPrefixes, except, List.of());
        }

        /** The same filter, but only for labels with these values. */
        ItemFilter where(List<SortedSet<String>> wanted) {
            return wanted.isEmpty() ? this : new ItemFilter(labelPrefixes, except, wanted);
        }

        /**
         * Whether an item is wanted.
         *
         * @param key the item's sort key in the index: start, label, key shard
         * @param place the same without the key shard
         */
        public boolean isWanted(String key, String place) {
            return (except.isEmpty() || !except.get().equals(place)) && (labelPrefixes.isEmpty() || hasWantedLabel(key))
                    && (values.isEmpty() || hasWantedValues(key));
        }

        private boolean hasWantedValues(String key) {
            int begin = key.indexOf(KeyCodec.SEPARATOR) + 1;
            for (SortedSet<String> wanted : values) {
                int end = key.indexOf(KeyCodec.SEPARATOR, begin);
                if (!wanted.isEmpty() && !wanted.contains(key.substring(begin, end))) {
                    return false;
                }
                begin = end + 1;
            }
            return true;
        }

        private boolean hasWantedLabel(String key) {
            int label = key.indexOf(KeyCodec.SEPARATOR) + 1;
            return labelPrefixes.stream().anyMatch(prefix -> key.startsWith(prefix, label));
        }
    }
}
